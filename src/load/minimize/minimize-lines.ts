/**
 * The smallest log that is still bad in the way that is asked for: delta debugging over turns, steps, rows that belong
 * together and single rows, then over the values in them, again and again until nothing more can go. A smaller log
 * raises nothing that the one before did not raise, nor more of it, and is smaller in bytes. The order in which things
 * are tried depends on the log alone; only where the time ends the search depends on the machine.
 */
import { createHash } from 'node:crypto'
import type { FindingLog } from '../../core/findings/finding-log.ts'
import { fewest } from '../../core/search/fewest.ts'
import { fileOf, type MemoryLine } from '../../storage/jsonl/memory-lines.ts'
import { jsonLine } from '../../storage/record-source.ts'
import type { InterestingnessTest } from './interestingness.ts'
import { removeRows } from './remove-rows.ts'
import { type Row, rowsOf, valueIn } from './row.ts'
import { smallerRow } from './smaller-value.ts'
import { GRAINS, type Unit } from './units.ts'

export interface Minimized {
  readonly lines: readonly MemoryLine[]
  readonly findings: FindingLog
  /** Logs that were tried. */
  readonly attempts: number
  /** Nothing more can be taken away; false when the time was up before. */
  readonly isComplete: boolean
}

/** @param lines - of a log that is bad, the header first. @param findings - what it raises. */
export async function minimizeLines(
  lines: readonly MemoryLine[],
  findings: FindingLog,
  test: InterestingnessTest,
): Promise<Minimized> {
  const search = new Search(lines, findings, test)
  let isComplete = true
  try {
    await search.run()
  } catch (error) {
    if (!(error instanceof TimeUp)) throw error
    isComplete = false
  }
  const { best, found, attempts } = search
  return { lines: best, findings: found, attempts, isComplete }
}

class TimeUp extends Error {}

class Search {
  best: readonly MemoryLine[]
  found: FindingLog
  attempts = 0
  #size: number
  readonly #test: InterestingnessTest
  readonly #rejected = new Set<string>()

  constructor(lines: readonly MemoryLine[], findings: FindingLog, test: InterestingnessTest) {
    this.best = lines
    this.found = findings
    this.#size = sizeOf(lines)
    this.#test = test
  }

  async run(): Promise<void> {
    let before: number
    do {
      before = this.#size
      for (const unitsOf of GRAINS) await this.#dropUnits(unitsOf)
      await this.#shrinkLines()
    } while (this.#size < before)
  }

  async #dropUnits(unitsOf: (rows: readonly Row[]) => readonly Unit[]): Promise<void> {
    const rows = rowsOf(this.best)
    const units = unitsOf(rows)
    await fewest(units, (left) => this.#tries(removeRows(rows, rowsLeft(rows, units, left))))
  }

  async #shrinkLines(): Promise<void> {
    for (const index of [...this.best.keys()].toReversed()) {
      const line = this.best[index] as MemoryLine
      const value = valueIn(line)
      const attempt = (bytes: Buffer): Promise<boolean> =>
        this.#tries(this.best.with(index, { ...line, bytes }))
      if (value !== undefined) await smallerRow(value, (smaller) => attempt(jsonLine(smaller)))
      else await fewest(piecesOf(line.bytes), (left) => attempt(Buffer.concat(left)))
    }
  }

  /** Whether the log is smaller and as bad, and nothing else than bad; it is the best so far then. */
  async #tries(candidate: readonly MemoryLine[]): Promise<boolean> {
    // An end that was torn off before its first byte is not there.
    const lines = candidate.filter(({ bytes, ended }) => ended || bytes.length > 0)
    if (sizeOf(lines) >= this.#size) return false
    const digest = createHash('sha1').update(fileOf(lines)).digest('base64')
    if (this.#rejected.has(digest)) return false
    if (this.#test.isTimeUp(this.attempts)) throw new TimeUp()
    this.attempts++
    const found = await this.#test.check(lines)
    if (!raisesNoMore(found, this.found) || !(await this.#test.isBad(lines, found))) {
      this.#rejected.add(digest)
      return false
    }
    this.best = lines
    this.found = found
    this.#size = sizeOf(lines)
    return true
  }
}

function rowsLeft(rows: readonly Row[], units: readonly Unit[], left: readonly Unit[]): readonly Row[] {
  const staying = new Set(left)
  const removed = new Set(units.filter((unit) => !staying.has(unit)).flat())
  return rows.filter((row) => !removed.has(row))
}

function raisesNoMore(found: FindingLog, before: FindingLog): boolean {
  const most = new Map(before.counts().map(({ code, count }) => [code, count]))
  return found.counts().every(({ code, count }) => count <= (most.get(code) ?? 0))
}

/** Bytes of the file that the lines make. */
export function sizeOf(lines: readonly MemoryLine[]): number {
  return lines.reduce((sum, { bytes, ended }) => sum + bytes.length + (ended ? 1 : 0), 0)
}

/** Of a line that cannot be read everything may go; a long one is taken apart more finely as it becomes short. */
const MOST_PIECES = 256

function piecesOf(bytes: Buffer): readonly Buffer[] {
  const length = Math.max(1, Math.ceil(bytes.length / MOST_PIECES))
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += length) pieces.push(bytes.subarray(at, at + length))
  return pieces
}
