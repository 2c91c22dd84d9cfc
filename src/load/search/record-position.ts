/** Finds a record by its number and says what is in it. */
import { isJsonObject, type JsonObject, present } from '../../core/json/json-value.ts'
import type { RecordSource, StoredRecord } from '../../storage/record-source.ts'
import { rowIn } from '../reading/stored-row.ts'

/** What is in one record of a log, in as many words as it takes to go there. */
export interface RecordPosition {
  /** Number of the record; the header is 1. */
  readonly line: number
  readonly frame?: number
  readonly row?: number
  readonly type?: string
  /** Of the last event, where the record holds several. */
  readonly seq?: number
  readonly turn?: number
  readonly step?: number
  /** Milliseconds since the epoch. */
  readonly time?: number
}

/** Position of the record with this number. What cannot be read tells only where it is. */
export async function positionOfRecord(source: RecordSource, line: number): Promise<RecordPosition> {
  for await (const batch of source.items(line)) {
    for (const item of batch) if (item.kind === 'record' && item.line === line) return positionOf(item)
  }
  return { line }
}

function positionOf(record: StoredRecord): RecordPosition {
  const { line, origin } = record
  const { frame, row } = origin
  const where = { line, ...present({ frame, row }) }
  const stored = rowIn(record)
  const event = stored?.events.at(-1) ?? stored?.value
  if (!isJsonObject(event)) return where
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
