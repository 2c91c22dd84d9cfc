/** The built command line as a process in which something happens at one of its changes to files. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { BIN } from './run-cli.ts'
import { tempDir } from './temp-dir.ts'

const PRELOAD = fileURLToPath(new URL('fault-at.mjs', import.meta.url))

export interface Fault {
  /** Number of the change, from 1. */
  readonly at: number
  /** As `fault-at.mjs` says it. */
  readonly what: string
}

export interface Change {
  readonly name: string
  /** Outside the folder of private copies. */
  readonly isSeen: boolean
}

export interface FaultyRun {
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  readonly stdout: string
  readonly stderr: string
  /** As far as the process came to list them. */
  readonly changes: readonly Change[]
}

/** @param folder - private copies go there, and what a killed process leaves of them goes with it. */
export async function faultyRun(
  args: readonly string[],
  fault?: Fault,
  folder = tempDir(),
): Promise<FaultyRun> {
  const log = join(folder, `changes-${fault?.at ?? 0}`)
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH,
    HOME,
    TMPDIR: folder,
    FAULT_LOG: log,
    ...(fault !== undefined && { FAULT: fault.what, FAULT_AT: String(fault.at) }),
  }
  const run = await execa(process.execPath, ['--import', PRELOAD, BIN, ...args], {
    reject: false,
    extendEnv: false,
    env,
    stdin: 'ignore',
  })
  const { exitCode, signal, stdout, stderr } = run
  const changes = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []
  return { exitCode, signal, stdout, stderr, changes: changes.map((line) => changeOf(line, folder)) }
}

function changeOf(line: string, folder: string): Change {
  const [name, path] = JSON.parse(line) as [string, string]
  return { name, isSeen: !path.startsWith(folder) }
}
