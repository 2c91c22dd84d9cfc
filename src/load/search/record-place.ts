/** Finds a record by its number and says what stands in it. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import type { RecordPlace } from '../../core/search/record-place.ts'
import { expandRow } from '../../storage/packed-rows/expand-row.ts'
import type { RecordSource, StoredRecord } from '../../storage/record-source.ts'
import { parseRecord } from '../reading/parse-record.ts'

/** Place of the record with this number. What cannot be read tells only where it is. */
export async function placeOfRecord(source: RecordSource, line: number): Promise<RecordPlace> {
  for await (const batch of source.items(line)) {
    for (const item of batch) if (item.kind === 'record' && item.line === line) return placeOf(item)
  }
  return { line }
}

function placeOf({ line, origin, content }: StoredRecord): RecordPlace {
  const { frame, row } = origin
  const where = { line, ...(frame !== undefined && { frame }), ...(row !== undefined && { row }) }
  const parsed = parseRecord(content)
  const event = parsed.kind === 'value' ? lastEvent(parsed.value) : undefined
  if (event === undefined) return where
  const { type, seq, time, data } = event
  const { turn, step } = isJsonObject(data) ? data : ({} as JsonObject)
  return {
    ...where,
    ...(typeof type === 'string' && { type }),
    ...(Number.isSafeInteger(seq) && { seq: seq as number }),
    ...(Number.isSafeInteger(turn) && { turn: turn as number }),
    ...(Number.isSafeInteger(step) && { step: step as number }),
    ...(Number.isSafeInteger(time) && { time: time as number }),
  }
}

function lastEvent(value: JsonValue): JsonObject | undefined {
  const expanded = expandRow(value)
  const last = expanded.kind === 'row' ? expanded.rows.at(-1) : value
  return isJsonObject(last) ? last : undefined
}
