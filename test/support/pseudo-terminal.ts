/** Runs a shell command on a terminal that is none, by whatever of two common tools the machine has. */
import { spawnSync } from 'node:child_process'
import { execa } from 'execa'

interface Tool {
  readonly name: string
  /** Whether the tool is here; there are others called `script`, with other options. */
  readonly exists: () => boolean
  readonly args: (command: string) => readonly string[]
}

const PYTHON =
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(["sh", "-c", sys.argv[1]])))'

export const TERMINALS: readonly Tool[] = [
  {
    name: 'script',
    exists: () => String(spawnSync('script', ['--version']).stdout).includes('util-linux'),
    args: (command) => ['-qefc', command, '/dev/null'],
  },
  {
    name: 'python3',
    exists: () => spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0,
    args: (command) => ['-c', PYTHON, command],
  },
]

export interface TerminalRun {
  /** What the terminal has shown so far. */
  readonly shown: () => string
  /** The exit code of the command, once it is over. */
  readonly over: Promise<number | undefined>
}

/** @param env - the whole environment besides PATH. */
export function runOnTerminal(
  tool: Tool,
  command: string,
  env: Readonly<Record<string, string>>,
): TerminalRun {
  const { PATH = '' } = process.env
  const child = execa(tool.name, tool.args(command), {
    reject: false,
    extendEnv: false,
    env: { PATH, SHELL: '/bin/sh', ...env },
    stdin: 'pipe',
    all: true,
  })
  let shown = ''
  child.all.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8')
  })
  return { shown: () => shown, over: child.then(({ exitCode }) => exitCode) }
}
