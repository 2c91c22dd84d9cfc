/**
 * One line of a log that is made smaller: its bytes, and what they mean where they can be read. The value itself is
 * parsed when it is asked for: of a large log all values together would take many times the room of their bytes.
 */
import { isCount, isJsonObject, type JsonObject } from '../../core/json/json-value.ts'
import type { MemoryLine } from '../../storage/jsonl/memory-lines.ts'
import { jsonLine } from '../../storage/record-source.ts'
import { rowIn, type StoredRow } from '../reading/stored-row.ts'

export interface Row extends MemoryLine {
  /** The line says nothing that its value does not say: it can be written anew without a loss. */
  readonly isPlain: boolean
  /** The line holds a JSON object. */
  readonly isReadable: boolean
  readonly type?: string
  /** First seq, and how many from there on; of a line that cannot be read what is missing around it. */
  readonly seqs?: SeqSpan
  readonly turn?: number
  readonly step?: number
}

export interface SeqSpan {
  readonly first: number
  readonly count: number
}

/** @param lines - the header first. */
export function rowsOf(lines: readonly MemoryLine[]): readonly Row[] {
  const rows = lines.map(rowOf)
  let due = 0
  return rows.map((row, index) => {
    const { seqs, isReadable } = row
    if (seqs !== undefined) due = seqs.first + seqs.count
    const next = rows[index + 1]?.seqs?.first
    const isGap = index > 0 && seqs === undefined && !isReadable && next !== undefined && next > due
    return isGap ? { ...row, seqs: { first: due, count: next - due } } : row
  })
}

/** The JSON object that a line holds; absent where it holds none. */
export function valueIn(line: MemoryLine): JsonObject | undefined {
  const value = storedRowOf(line)?.value
  return isJsonObject(value) ? value : undefined
}

function storedRowOf({ bytes, ended }: MemoryLine): StoredRow | undefined {
  return rowIn({ kind: 'record', line: 0, origin: {}, content: { kind: 'bytes', bytes }, ended })
}

function rowOf(line: MemoryLine): Row {
  const { bytes, ended } = line
  const stored = storedRowOf(line)
  if (stored === undefined || !isJsonObject(stored.value))
    return { bytes, ended, isPlain: false, isReadable: false }
  const { type, seq: first, value } = stored
  const count = Math.max(1, stored.events.length)
  const { data } = stored.members
  const { turn, step } = isJsonObject(data) ? data : ({} as JsonObject)
  return {
    bytes,
    ended,
    isPlain: jsonLine(value).equals(bytes),
    isReadable: true,
    ...(type !== undefined && { type }),
    ...(isCount(first) && { seqs: { first, count } }),
    ...(isCount(turn) && { turn }),
    ...(isCount(step) && { step }),
  }
}
