/** The built command line as a user runs it. The build has to be fresh: `npm run build`. */
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'

export const BIN = fileURLToPath(new URL('../../bin/resurface.js', import.meta.url))

export interface RunOptions {
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface RunResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | undefined
}

/** Runs without a terminal, and without the colour settings of anyone who runs the tests. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { input, env, cwd } = options
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const result = await execa(process.execPath, [BIN, ...args], {
    reject: false,
    stripFinalNewline: false,
    extendEnv: false,
    env: { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...env },
    maxBuffer: 256 * 1024 * 1024,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
    ...(cwd !== undefined && { cwd }),
  })
  const { stdout, stderr, exitCode } = result
  return { stdout, stderr, exitCode }
}
