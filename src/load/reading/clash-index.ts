/**
 * What a clash of seqs is: rows that use numbers taken before, compared with the rows that took them. A log with clashes
 * is read twice more: for where its rows are, and for what those say that share a seq. Then a clash costs no more than
 * its own rows, so a log full of clashes takes no longer than any other.
 */

import { hash } from 'node:crypto'
import { NumberList } from '../../core/event/number-list.ts'
import { isCloser, isTurnCloser } from '../../core/event-types/closers.ts'
import { canonicalJson } from '../../core/json/canonical-json.ts'
import { firstIndex } from '../../core/json/first-index.ts'
import { isCount, isJsonObject, type JsonObject } from '../../core/json/json-value.ts'
import type { ClashKind } from '../../core/repair/arrange-runs.ts'
import { type Copies, placeRuns, type Run } from '../../core/repair/place-runs.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import type { Repetition } from './numbering.ts'
import { rowIn, type StoredRow } from './stored-row.ts'

export interface Clash {
  readonly kind: ClashKind
  /** Rows of the earlier and the later branch that share seqs. */
  readonly earlier: Branch
  readonly later: Branch
  /** Events after the clash that go on from the later branch. */
  readonly livesOn: number
}

export interface Branch {
  readonly rows: number
  readonly bytes: number
  readonly turns: number
  readonly firstTime?: number
  readonly lastTime?: number
}

export type SharedSeqs = Omit<Repetition, 'origin' | 'rows' | 'last'>

const NONE = -1
/** Of a log with more breaks no row is placed by itself. */
const MOST_RUNS = 10_000

/** A record whose place or number is wrong, where no second writer explains it. */
export interface OddRecord {
  readonly kind: 'out-of-order' | 'misnumbered'
  /** The seqs that it belongs at. */
  readonly belongsAt: number
  readonly belongsTo: number
}

export class ClashIndex {
  /** Every event with a seq, in the order of the file. */
  readonly #rows = new RowList()
  /** Those that took their seq first: seqs and lines rise. */
  readonly #takers = new RowList()
  /** By row: the latest row before it with the same seq. */
  readonly #before = NumberList.small()
  /** By row, where rows share a seq: what it says. */
  readonly #contents = new Map<number, string>()
  #odd: ReadonlyMap<number, OddRecord> | undefined

  /** Number of the last line with a seq. */
  get lastLine(): number {
    return this.#rows.lines.values().at(-1) ?? 0
  }

  static async of(source: RecordSource): Promise<ClashIndex> {
    const index = new ClashIndex()
    await index.#placeRows(source)
    await index.#readShared(source)
    return index
  }

  explain({ first, expected, firstLine, lastLine }: SharedSeqs): Clash {
    const { lines } = this.#rows
    const from = firstAtLeast(lines.values(), firstLine)
    const after = firstAtLeast(lines.values(), lastLine + 1)
    // A run may go on where nothing is shared any more; only what it shares is compared.
    const shared = this.#rows.seqs.values().subarray(from, after)
    const until = from + firstAtLeast(shared, expected)
    const later = this.#rows.span(from, until)
    const taken = this.#takers.seqs.values()
    const end = Math.min(firstAtLeast(taken, expected), firstAtLeast(this.#takers.lines.values(), firstLine))
    const earlier = this.#takers.span(firstAtLeast(taken, first), end)
    const kind = this.#isCopy(from, until)
      ? 'identical'
      : earlier.isRecovery
        ? 'closers'
        : later.isRecovery
          ? 'late-closers'
          : // A run from the first event on is another log, whatever its rows are.
            later.isPacked && first > 0
            ? 'packed-overlap'
            : 'two-writers'
    const livesOn = lines.values().length - after
    return { kind, earlier: earlier.branch, later: later.branch, livesOn }
  }

  /** How many rows at the beginning of each run only repeat rows before it. */
  copiesAmong(runs: readonly Run[]): Copies {
    const lines = this.#rows.lines.values()
    const copies = new Map<Run, number>()
    for (const run of runs) {
      if (run.first === undefined) continue
      const from = firstAtLeast(lines, run.firstRecord)
      let row = from
      while (row < from + run.rows && this.#repeats(row, from)) row++
      if (row > from) copies.set(run, row - from)
    }
    return copies
  }

  /** Whether the rows only come in a wrong place, or a wrong number is all that is between them and an earlier row. */
  oddRecord({ firstLine, first, last }: Repetition): OddRecord | undefined {
    this.#odd ??= this.#oddRecords()
    const row = firstAtLeast(this.#rows.lines.values(), firstLine)
    const before = this.#before.values().subarray(row, row + last - first + 1)
    const odd = this.#odd.get(row) ?? this.#odd.get(before[0] ?? NONE)
    if (odd !== undefined || before.some((original) => original !== NONE)) return odd
    return { kind: 'out-of-order', belongsAt: first, belongsTo: last }
  }

  /** By row. */
  #oddRecords(): ReadonlyMap<number, OddRecord> {
    const odd = new Map<number, OddRecord>()
    const rows: number[] = []
    const runs: Run[] = []
    const lines = this.#rows.lines.values()
    const times = this.#rows.times.values()
    for (const [row, seq] of this.#rows.seqs.values().entries()) {
      const run = runs.at(-1)
      if (run?.first !== undefined && seq === run.first + run.rows) {
        run.lastRecord = lines[row] as number
        run.rows++
      } else {
        if (runs.length >= MOST_RUNS) return odd
        rows.push(row)
        runs.push({
          firstRecord: lines[row] as number,
          lastRecord: lines[row] as number,
          first: seq,
          rows: 1,
          ...timed(times[row]),
        })
      }
    }
    const firstRow = new Map(runs.map((run, index) => [run, rows[index] as number]))
    for (const { run, first, isMoved, isNumbered } of placeRuns(runs, this.copiesAmong(runs)) ?? []) {
      if (first === undefined || !(isMoved || isNumbered)) continue
      const kind = isNumbered ? 'misnumbered' : 'out-of-order'
      const record = { kind, belongsAt: first, belongsTo: first + run.rows - 1 } as const
      const from = firstRow.get(run) as number
      for (let row = from; row < from + run.rows; row++) odd.set(row, record)
    }
    return odd
  }

  #isCopy(from: number, until: number): boolean {
    for (let row = from; row < until; row++) if (!this.#repeats(row, from)) return false
    return until > from
  }

  /** Whether a row says the same as the one before `from` that has its seq. */
  #repeats(row: number, from: number): boolean {
    const original = this.#before.values()[row] as number
    return original !== NONE && original < from && this.#contents.get(row) === this.#contents.get(original)
  }

  async #placeRows(source: RecordSource): Promise<void> {
    const latest = new Map<number, number>()
    let due = 0
    let row = 0
    for await (const { stored, events } of rowsOf(source)) {
      for (const [member, event] of events.entries()) {
        this.#rows.push(stored, event, member)
        if (event.seq >= due) {
          this.#takers.push(stored, event, member)
          due = event.seq + 1
        }
        this.#before.push(latest.get(event.seq) ?? NONE)
        latest.set(event.seq, row++)
      }
    }
  }

  async #readShared(source: RecordSource): Promise<void> {
    const shared = new Set<number>()
    for (const [row, before] of this.#before.values().entries())
      if (before !== NONE) shared.add(row).add(before)
    const lines = this.#rows.lines.values()
    const wanted = new Set([...shared].map((row) => lines[row] as number))
    let row = 0
    for await (const { stored, events } of rowsOf(source, wanted)) {
      row = firstAtLeast(lines, stored.record.line)
      for (const event of events) {
        if (shared.has(row)) this.#contents.set(row, hash('sha1', canonicalJson(event), 'base64'))
        row++
      }
    }
  }
}

interface RowSpan {
  readonly branch: Branch
  /** It could be what a recovery wrote, the end of a turn among it. */
  readonly isRecovery: boolean
  readonly isPacked: boolean
}

/** Rows in columns, with sums up to each row, so that a span of them is told at once. */
class RowList {
  readonly seqs = NumberList.large()
  readonly lines = NumberList.small()
  readonly times = NumberList.large()
  readonly #bytes = new Sums()
  readonly #turns = new Sums()
  readonly #closers = new Sums()
  readonly #turnClosers = new Sums()
  readonly #packed = new Sums()

  /** @param member - position in a packed row, whose bytes count once. */
  push({ record, isPacked }: StoredRow, event: NumberedEvent, member: number): void {
    this.seqs.push(event.seq)
    this.lines.push(record.line)
    this.times.push(typeof event.time === 'number' ? event.time : Number.NaN)
    this.#bytes.push(member === 0 ? (record.origin.byteLength ?? 0) : 0)
    this.#turns.push(Number(event.type === 'turn/start'))
    this.#closers.push(Number(isCloser(event)))
    this.#turnClosers.push(Number(isTurnCloser(event)))
    this.#packed.push(Number(isPacked))
  }

  span(from: number, until: number): RowSpan {
    const rows = Math.max(0, until - from)
    const times = this.times.values()
    const [firstTime, lastTime] = [times[from] ?? Number.NaN, times[until - 1] ?? Number.NaN]
    const hasTimes = rows > 0 && !Number.isNaN(firstTime) && !Number.isNaN(lastTime)
    return {
      branch: {
        rows,
        bytes: this.#bytes.of(from, until),
        turns: this.#turns.of(from, until),
        ...(hasTimes && { firstTime, lastTime }),
      },
      isRecovery: this.#closers.of(from, until) === rows && this.#turnClosers.of(from, until) > 0,
      isPacked: this.#packed.of(from, until) > 0,
    }
  }
}

class Sums {
  readonly #sums = NumberList.large()
  #total = 0

  push(value: number): void {
    this.#total += value
    this.#sums.push(this.#total)
  }

  /** The sum of the values from one position up to another. */
  of(from: number, until: number): number {
    const sums = this.#sums.values()
    return from >= until ? 0 : (sums[until - 1] as number) - (sums[from - 1] ?? 0)
  }
}

function timed(time: number | undefined): Pick<Run, 'time'> {
  return time === undefined || Number.isNaN(time) ? {} : { time }
}

type NumberedEvent = JsonObject & { readonly seq: number }

interface LocatedEvents {
  readonly stored: StoredRow
  readonly events: readonly NumberedEvent[]
}

/** @param wanted - the lines to look at; all of them without it. */
async function* rowsOf(source: RecordSource, wanted?: ReadonlySet<number>): AsyncIterable<LocatedEvents> {
  for await (const batch of source.stored?.() ?? source.items()) {
    for (const item of batch) {
      if (item.kind !== 'record' || wanted?.has(item.line) === false) continue
      const stored = rowIn(item)
      if (stored !== undefined) yield { stored, events: stored.events.filter(isNumbered) }
    }
  }
}

function isNumbered(event: unknown): event is NumberedEvent {
  return isJsonObject(event) && isCount(event.seq)
}

/** Position of the first number from `least` on in rising numbers. */
function firstAtLeast(numbers: Int32Array | Float64Array, least: number): number {
  return firstIndex(numbers.length, (index) => (numbers[index] as number) < least)
}
