/**
 * Two questions that only the rest of the file can answer. Both are asked at most once per log, and only when
 * something is out of the ordinary. Lines without the bytes in question are not parsed.
 */
import { isSurfaceEligibleType } from '../core/event/event-types.ts'
import { isJsonObject, type JsonObject } from '../core/event/json-value.ts'
import type { Mark, RawRecord, RecordSource } from '../storage/record-source.ts'
import { parseRecord } from './parse-record.ts'

/** Offset of the last readable `turn/end` at or after `from`; -1 when there is none. */
export async function lastTurnEnd(source: RecordSource, from: Mark): Promise<number> {
  let last = -1
  for await (const record of recordsHolding(source, from, ['turn/end', 'turn\\/end'])) {
    if (objectIn(record)?.type === 'turn/end') last = record.byteOffset
  }
  return last
}

/** Whether a surface-eligible event at or after `from` carries a surface marker. */
export async function hasMarkedEvent(source: RecordSource, from: Mark): Promise<boolean> {
  for await (const record of recordsHolding(source, from, ['surfaceOp'])) {
    const row = objectIn(record)
    if (row?.surfaceOp !== undefined && typeof row.type === 'string' && isSurfaceEligibleType(row.type))
      return true
  }
  return false
}

async function* recordsHolding(
  source: RecordSource,
  from: Mark,
  needles: readonly string[],
): AsyncIterable<RawRecord> {
  const sought = needles.map((needle) => Buffer.from(needle))
  for await (const batch of source.records({ byteOffset: from.byteOffset, line: from.line })) {
    for (const record of batch) {
      if (record.ended && sought.some((needle) => record.bytes.includes(needle))) yield record
    }
  }
}

function objectIn(record: RawRecord): JsonObject | undefined {
  const parsed = parseRecord(record.bytes)
  return parsed.kind === 'value' && isJsonObject(parsed.value) ? parsed.value : undefined
}
