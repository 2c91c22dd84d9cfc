/** Rows and the lines that hold them, for the edits of a repair. */
import type { JsonObject, JsonValue } from '../../core/json/json-value.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import type { StoredRecord } from '../../storage/record-source.ts'
import { rowIn as storedRowIn } from '../reading/stored-row.ts'

/** The value of a record; `undefined` when it cannot be read. */
export function rowIn(record: StoredRecord): JsonValue | undefined {
  return storedRowIn(record)?.value
}

/** The line of a row, without its line feed. */
export function lineOf(row: object): Buffer {
  return Buffer.from(stringifyJson(row as JsonObject))
}
