/**
 * One row of the events table → a line of format 0 (format.md §3.4, §3.5). A packed row stays packed: expanding it is
 * the same for every container. Whether the seq is the one that was due is not known here.
 */
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import type { ReadLimits, RecordContent } from '../record-source.ts'
import type { DataFrames } from './data-frames.ts'
import type { DatabaseShape } from './schema-shape.ts'
import { decodeSources, decodeTaggedSources } from './varint-sources.ts'

/** A row as SQLite gives it; a column that the schema does not have is null. */
export interface EventRow {
  readonly seq: unknown
  readonly type: unknown
  readonly time: unknown
  /** Null when it is over the limit. */
  readonly data: unknown
  /** Length of `data` as stored. */
  readonly bytes: number
  readonly sources: unknown
  readonly surfaceOp: unknown
  readonly ignorable: unknown
  readonly isPacked: unknown
}

const CHUNK_TAGS = ['text-chunks', 'reasoning-chunks', 'tool-call-chunks']
const FEWEST_MEMBERS = 3
const MOST_MEMBERS = 1024
const MOST_PACKED_BYTES = 1024 * 1024

export function decodeEventRow(
  row: EventRow,
  shape: DatabaseShape,
  frames: DataFrames,
  limits: ReadLimits,
): RecordContent {
  if (row.bytes > limits.maxRecord) return { kind: 'oversize', bytes: row.bytes }
  try {
    const value = isPackedRow(row, shape)
      ? packedRow(row, shape, frames, limits)
      : eventRow(row, shape, frames, limits)
    return { kind: 'value', value }
  } catch (error) {
    if (error instanceof OversizeData) return { kind: 'oversize', bytes: error.bytes }
    if (!(error instanceof UnreadableRow)) throw error
    const { message: problem, rest } = error
    return { kind: 'unreadable', problem, ...(rest !== undefined && { rest }) }
  }
}

/** The seq that is due after the row, when the row says so. */
export function seqAfter(content: RecordContent): number | undefined {
  if (content.kind !== 'value' || !isJsonObject(content.value)) return undefined
  const { seq, seq0, data } = content.value
  if (isCount(seq)) return seq + 1
  return isCount(seq0) ? seq0 + membersOf(data).length : undefined
}

class UnreadableRow extends Error {
  /** What can be read of the row all the same. */
  rest: JsonObject | undefined
}

class OversizeData extends Error {
  readonly bytes: number

  constructor(bytes: number) {
    super('data is over the limit')
    this.bytes = bytes
  }
}

function isPackedRow({ ignorable, isPacked }: EventRow, { packedBy }: DatabaseShape): boolean {
  if (packedBy === 'ignorable') return ignorable === 0
  return packedBy === 'is_packed' && isPacked === 1
}

function packedRow(row: EventRow, shape: DatabaseShape, frames: DataFrames, limits: ReadLimits): JsonObject {
  const { seq, type, time } = envelopeOf(row)
  const { value: data, bytes, problem: damage } = dataOf(row, frames, limits)
  const { length } = membersOf(data)
  const isPacked = CHUNK_TAGS.includes(type) || length > 0
  const problem = packedProblem(row, type, bytes, length) ?? damage
  const packed = { type, seq0: seq, time0: time, data }
  if (problem === undefined) return packed
  const error = new UnreadableRow(`malformed ${type} storage row: ${problem}`)
  error.rest = isPacked ? packed : restOf({ ...row, ignorable: null }, shape, frames, limits)
  throw error
}

/** What DSH has against a packed row. */
function packedProblem(
  { sources, surfaceOp }: EventRow,
  type: string,
  bytes: number,
  members: number,
): string | undefined {
  if (!CHUNK_TAGS.includes(type)) return 'packed discriminator requires a chunk tag'
  if (bytes > MOST_PACKED_BYTES) return `its data is longer than ${MOST_PACKED_BYTES} bytes`
  if (members < FEWEST_MEMBERS || members > MOST_MEMBERS)
    return `it has ${members} members, which must be ${FEWEST_MEMBERS} to ${MOST_MEMBERS}`
  return sources === null && surfaceOp === null ? undefined : 'packed surface fields must be null'
}

/** The row as one of an event, as far as it can be read. */
function restOf(
  row: EventRow,
  shape: DatabaseShape,
  frames: DataFrames,
  limits: ReadLimits,
): JsonObject | undefined {
  try {
    return eventRow(row, shape, frames, limits)
  } catch (error) {
    if (error instanceof UnreadableRow) return error.rest
    throw error
  }
}

function membersOf(data: JsonValue | undefined): readonly JsonValue[] {
  const members = isJsonObject(data) ? (data.texts ?? data.args) : undefined
  return Array.isArray(members) ? members : []
}

function eventRow(row: EventRow, shape: DatabaseShape, frames: DataFrames, limits: ReadLimits): JsonObject {
  const { seq, type, time } = envelopeOf(row)
  const { value: data, problem: damage } = dataOf(row, frames, limits)
  const event: Record<string, JsonValue> = { type, seq, time, data }
  let problem = damage === undefined ? undefined : new UnreadableRow(damage)
  const set = (member: string, stored: unknown, decode: (stored: unknown) => JsonValue): void => {
    if (stored === null) return
    try {
      event[member] = decode(stored)
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error
      problem ??= error
    }
  }
  set('surfaceOp', row.surfaceOp, surfaceOpOf)
  set('sourceEventSeqs', row.sources, (stored) => sourcesOf(stored, shape, seq))
  set('ignorable', row.ignorable, ignorableOf)
  if (problem === undefined) return event
  problem.rest = event
  throw problem
}

function envelopeOf({ seq, type, time }: EventRow): { seq: number; type: string; time: number } {
  if (!isCount(seq)) throw new UnreadableRow('seq is no seq')
  if (typeof type !== 'string' || type === '') throw new UnreadableRow('type is no name')
  if (!Number.isSafeInteger(time)) throw new UnreadableRow('time is no whole number of milliseconds')
  return { seq, type, time: time as number }
}

interface StoredData {
  readonly value: JsonValue
  /** Length as text. */
  readonly bytes: number
  /** What is wrong with how it is stored, where it can be read all the same. */
  readonly problem?: string
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function dataOf({ data }: EventRow, frames: DataFrames, { maxRecord }: ReadLimits): StoredData {
  if (typeof data === 'string') return { value: parsed(data, 'data'), bytes: Buffer.byteLength(data) }
  if (!(data instanceof Uint8Array)) throw new UnreadableRow('data is neither text nor bytes')
  const frame = frames(data, maxRecord)
  if (frame.kind === 'too-large') throw new OversizeData(frame.limit + 1)
  if (frame.kind === 'bytes') return storedText(frame.bytes)
  const problem = `the zstd frame of data is damaged: ${frame.problem}`
  // Bytes that are no frame may be the text itself.
  for (const bytes of [frame.content, data]) {
    if (bytes === undefined) continue
    try {
      return { ...storedText(bytes), problem }
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error
    }
  }
  throw new UnreadableRow(problem)
}

function storedText(bytes: Uint8Array): StoredData {
  let text: string
  try {
    text = UTF8.decode(bytes)
  } catch {
    throw new UnreadableRow('data is not UTF-8')
  }
  return { value: parsed(text, 'data'), bytes: bytes.length }
}

function surfaceOpOf(stored: unknown): JsonValue {
  if (typeof stored !== 'string') throw new UnreadableRow('surface_op is no text')
  return parsed(stored, 'surface_op')
}

function sourcesOf(stored: unknown, { sources }: DatabaseShape, seq: number): JsonValue {
  if (sources === 'json') {
    if (typeof stored !== 'string') throw new UnreadableRow('source_event_seqs is no text')
    return parsed(stored, 'source_event_seqs')
  }
  if (!(stored instanceof Uint8Array)) throw new UnreadableRow('source_event_seqs is no bytes')
  const decoded = sources === 'varint' ? decodeSources(stored) : decodeTaggedSources(stored, seq)
  if (decoded.kind === 'malformed') throw new UnreadableRow(decoded.problem)
  return decoded.seqs
}

/** Schema 15 lets any number in; what it may be is judged with the envelope. */
function ignorableOf(stored: unknown): JsonValue {
  if (stored === 1) return true
  return stored === 0 ? false : String(stored)
}

function parsed(text: string, column: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreadableRow(`the JSON of ${column} is broken`)
  }
}
