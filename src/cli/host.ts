/** The world as the command line sees it; tests hand in another one. */
import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Pager } from './pager.ts'
import { onInterrupt } from './signals.ts'

export interface Host {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly cwd: string
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Starts what shows a long report on the terminal that `stdout` is. */
  readonly pager?: () => Promise<Pager | undefined>
  /** What the next interrupt does instead of ending the process. */
  readonly onInterrupt?: (ask: () => void) => void
  /** Runs something when the process ends, however it does. */
  readonly atExit: (run: () => void) => void
}

/** Columns of a terminal. One that does not know its size says 0, or nothing; then the environment is asked. */
export function columnsOf({ columns }: { readonly columns?: number }, env: Host['env'] = {}): number {
  const asked = /^[1-9]\d{0,3}$/.test(env.COLUMNS ?? '')
    ? Math.max(Number(env.COLUMNS), LEAST_COLUMNS)
    : USUAL_COLUMNS
  return columns !== undefined && columns > 0 ? columns : asked
}

const USUAL_COLUMNS = 80
/** No variable makes lines narrower than anybody could read. */
const LEAST_COLUMNS = 20

export function processHost(): Host {
  const { stdin, stdout, stderr, env } = process
  const atExit = (run: () => void): void => void process.once('exit', run)
  const pager = async (): Promise<Pager | undefined> => (await import('./pager.ts')).startPager(env)
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    version: packageVersion(),
    now: Date.now,
    pager,
    onInterrupt,
    atExit,
  }
}

function packageVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
