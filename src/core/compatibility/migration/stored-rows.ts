/**
 * The rows of a log as the published readers take them (format.md §11 C3): a damaged row, or one that breaks the
 * numbering, begins a tail that is cut. When a turn end follows it, the log is refused.
 */

import { envelopeDamage } from '../../dialect/row-damage.ts'
import { readSources } from '../../dialect/source-ranges.ts'
import { Acceptance } from '../../event-types/acceptance.ts'
import { PACKED_ENVELOPE, PACKED_ROWS } from '../../event-types/envelope.ts'
import { memberFault } from '../../event-types/member-faults.ts'
import { firstRefusal } from '../../event-types/refusals.ts'
import { isJsonObject, isPlainCount, type JsonObject, type JsonValue } from '../../json/json-value.ts'

export interface ChunkRun {
  readonly first: number
  readonly count: number
  readonly turn: JsonValue | undefined
  readonly step: JsonValue | undefined
}

export type TakenRow =
  | { readonly kind: 'event'; readonly row: JsonObject; readonly sources: readonly number[] | undefined }
  | { readonly kind: 'run'; readonly run: ChunkRun }
  /** The first row of a tail; what is wrong with it. */
  | { readonly kind: 'damaged'; readonly problem: string }
  /** A turn end after damage, which makes the damage one of the whole log. */
  | { readonly kind: 'turn end after damage' }
  | { readonly kind: 'dropped' }

const DROPPED: TakenRow = { kind: 'dropped' }

export class StoredRows {
  readonly #format: number
  #expected = 0
  #isDamaged = false

  constructor(format: number) {
    this.#format = format
  }

  /** Number of the events that are not cut. */
  get count(): number {
    return this.#expected
  }

  /** Takes streamed deltas that are known to be whole and due. */
  skip(count: number): boolean {
    if (this.#isDamaged) return false
    this.#expected += count
    return true
  }

  take(value: JsonValue | undefined): TakenRow {
    const decoded = this.#decode(value)
    if (decoded.kind === 'damaged') {
      if (this.#isDamaged) return DROPPED
      this.#isDamaged = true
      return decoded
    }
    const isTurnEnd = decoded.kind === 'event' && decoded.row.type === 'turn/end'
    if (this.#isDamaged) return isTurnEnd ? { kind: 'turn end after damage' } : DROPPED
    const seq = decoded.kind === 'event' ? decoded.row.seq : decoded.run.first
    if (seq !== this.#expected) {
      this.#isDamaged = true
      // A turn end that breaks the numbering itself is damage that is followed by one.
      if (isTurnEnd) return { kind: 'turn end after damage' }
      return { kind: 'damaged', problem: `its seq is not ${this.#expected}` }
    }
    this.#expected += decoded.kind === 'event' ? 1 : decoded.run.count
    return decoded
  }

  #decode(value: JsonValue | undefined): TakenRow & { readonly kind: 'event' | 'run' | 'damaged' } {
    if (!isJsonObject(value)) return damaged('it is no JSON object')
    const { type } = value
    if (this.#format < 2) {
      if (typeof type === 'string' && Object.hasOwn(PACKED_ROWS, type)) return packedRun(value, type)
    } else {
      const problem = envelopeDamage(value)
      if (problem !== undefined) return damaged(problem)
    }
    if (value.sourceEventSeqs === undefined) return { kind: 'event', row: value, sources: undefined }
    if (!isPlainCount(value.seq)) return damaged('seq is no seq')
    if (this.#format >= 2) {
      const read = readSources(value.sourceEventSeqs, value.seq)
      return read.kind === 'invalid'
        ? damaged(read.problem)
        : { kind: 'event', row: value, sources: read.seqs }
    }
    const sources = earlySources(value.sourceEventSeqs, value.seq)
    return typeof sources === 'string'
      ? damaged(`sourceEventSeqs: ${sources}`)
      : { kind: 'event', row: value, sources }
  }
}

function damaged(problem: string): TakenRow & { readonly kind: 'damaged' } {
  return { kind: 'damaged', problem }
}

const ACCEPTANCE = new Acceptance([0])

function packedRun(row: JsonObject, type: string): TakenRow & { readonly kind: 'run' | 'damaged' } {
  const data = row.data
  const kind = PACKED_ROWS[type]
  const context = { format: 0, seq: Number.MAX_SAFE_INTEGER }
  const isTaken =
    ACCEPTANCE.takesKind(PACKED_ENVELOPE, row, context.seq) &&
    (kind === undefined || ACCEPTANCE.takesKind(kind, data, context.seq))
  const wrong = isTaken
    ? undefined
    : (firstRefusal(PACKED_ENVELOPE, row, 'row', context) ??
      (kind && firstRefusal(kind, data, 'data', context)))
  if (wrong !== undefined) return damaged(`${wrong.path} ${memberFault(wrong.fault)}`)
  if (!isJsonObject(data)) return damaged('data is no object')
  const texts = (data.texts ?? data.args) as readonly JsonValue[]
  const gaps = data.dt as readonly number[]
  if (gaps.length !== texts.length - 1) return damaged('dt does not fit the number of deltas')
  let time = row.time0 as number
  for (const gap of gaps) {
    time += gap
    if (!Number.isSafeInteger(time)) return damaged('a time is out of range')
  }
  const first = row.seq0 as number
  if (!Number.isSafeInteger(first + texts.length - 1)) return damaged('a seq is out of range')
  return { kind: 'run', run: { first, count: texts.length, turn: data.turn, step: data.step } }
}

/** No log has more events; a range that says so is not expanded. */
const MOST_SOURCES = 4_000_000

/** The migration from format 0 reads a list without looking whether its members are earlier: what it cites, it looks up. */
function earlySources(stored: JsonValue, seq: number): readonly number[] | string {
  if (!Array.isArray(stored)) return 'it is not a list'
  const sources: number[] = []
  let hasRange = false
  for (const item of stored as readonly JsonValue[]) {
    if (!Array.isArray(item)) {
      if (!isPlainCount(item)) return 'it holds something that is no seq'
      sources.push(item)
      continue
    }
    const [start, end] = item as readonly JsonValue[]
    if (item.length !== 2 || !isPlainCount(start) || !isPlainCount(end))
      return 'it holds something that is no seq'
    if (start > end || end >= MOST_SOURCES || end - start + 1 > seq - sources.length)
      return 'it holds a range that does not fit'
    for (let source = start; source <= end; source++) sources.push(source)
    hasRange = true
  }
  const rises = sources.every((source, index) => index === 0 || source > (sources[index - 1] as number))
  return hasRange && !rises ? 'it has a range and does not rise' : sources
}
