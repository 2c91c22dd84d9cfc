/**
 * Shows on standard error how far a run has come: one line, rewritten in place, for runs that take longer than a second
 * and only where a person looks at a terminal. There is no timer: the code that reads reports, and most reports are not shown.
 */
import { statSync } from 'node:fs'
import type { Reading, ReadingProgress } from '../load/inputs/watched-source.ts'
import { columnsOf, type Host } from './host.ts'
import { type ProgressState, progressLine } from './progress-line.ts'

/** A run that is over sooner shows nothing. */
const PATIENCE = 1000
/** Between two versions of the line. */
const INTERVAL = 100

const ERASE_LINE = '\r\x1b[K'

type Screen = Pick<Host, 'stderr' | 'now'>

/** `undefined` where nobody would see the line, or where it would end up in a file. */
export function terminalProgress(
  host: Screen & Pick<Host, 'env' | 'atExit'>,
  quiet: boolean,
): TerminalProgress | undefined {
  const { stderr, env } = host
  const isBuild = env.CI !== undefined && env.CI !== '' && env.CI !== 'false'
  if (quiet || stderr.isTTY !== true || env.TERM === 'dumb' || isBuild) return undefined
  const progress = new TerminalProgress(host, sizeOf)
  host.atExit(() => progress.clear())
  return progress
}

export class TerminalProgress implements ReadingProgress {
  readonly #screen: Screen
  readonly #sizeOf: (path: string) => number
  readonly #started: number
  #drawn = 0
  #isShown = false

  #paths: readonly string[] = []
  /** Sizes of the expected files: looked up when the line is shown for the first time, which is seldom. */
  #sizes: ReadonlyMap<string, number> | undefined
  /** Files that have been read, here or elsewhere. */
  readonly #passed: string[] = []
  /** The file whose turn it is. */
  #path: string | undefined
  #logs = 1
  /** Number of the log in that file, from 1. */
  #log = 0

  #reading: Reading = { name: '', unit: 'bytes' }
  #begun: number
  #done = 0

  /** @param sizeOf - bytes of a file; never throws. */
  constructor(screen: Screen, sizeOf: (path: string) => number) {
    this.#screen = screen
    this.#sizeOf = sizeOf
    this.#started = screen.now()
    this.#begun = this.#started
  }

  expect(paths: readonly string[]): void {
    this.#paths = paths
    this.#sizes = undefined
    this.#passed.length = 0
    this.#path = undefined
  }

  next(path: string): void {
    if (this.#path !== undefined) this.passed(this.#path)
    this.#path = path
    this.#logs = 1
    this.begin({ name: path, unit: 'bytes' })
  }

  passed(path: string): void {
    this.#passed.push(path)
  }

  holds(logs: number): void {
    this.#logs = logs
    this.#log = 0
  }

  begin(reading: Reading): void {
    if (reading.name !== this.#reading.name) this.#log++
    this.#reading = reading
    this.#begun = this.#screen.now()
    this.reach(0)
  }

  reach(done: number): void {
    this.#done = done
    const now = this.#screen.now()
    if (now - this.#started < PATIENCE || now - this.#drawn < INTERVAL) return
    this.#drawn = now
    this.#isShown = true
    const { stderr } = this.#screen
    stderr.write(`${ERASE_LINE}${progressLine(this.#state(now), columnsOf(stderr))}`)
  }

  /** Takes the line away. To be called before anything else is written to the terminal. */
  clear(): void {
    if (this.#isShown) this.#screen.stderr.write(ERASE_LINE)
    this.#isShown = false
  }

  #state(now: number): ProgressState {
    const { unit, total, name: given } = this.#reading
    const name = given === '-' ? 'standard input' : given
    const count = this.#paths.length
    if (count > 1) {
      const position = { number: Math.min(this.#passed.length + 1, count), count }
      if (unit === 'rows') return { name, position, unit, done: this.#done, milliseconds: 0 }
      return { name, position, unit, ...this.#doneOfAll(), milliseconds: now - this.#started }
    }
    const position = this.#logs > 1 ? { number: this.#log, count: this.#logs } : undefined
    return { name, position, unit, done: this.#done, total, milliseconds: now - this.#begun }
  }

  /** Over all expected files. A file that is read through a private copy counts with its own size. */
  #doneOfAll(): { done: number; total: number } {
    const sizes = this.#sizes ?? new Map(this.#paths.map((path) => [path, this.#sizeOf(path)]))
    this.#sizes = sizes
    const sum = (paths: readonly string[]): number =>
      paths.reduce((all, path) => all + (sizes.get(path) ?? 0), 0)
    const { total = 0 } = this.#reading
    const share = total > 0 ? Math.min(this.#done / total, 1) : 0
    const own = sizes.get(this.#path ?? '') ?? 0
    return { done: sum(this.#passed) + own * share, total: sum(this.#paths) }
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    // Anyone who reads it will say what is wrong with it.
    return 0
  }
}
