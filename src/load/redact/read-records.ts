/** The records of a log as texts, for a search that needs to see them as they are written. */
import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '../../core/json/json-value.ts'
import { jsonLine, type RecordSource, type StoredRecord } from '../../storage/record-source.ts'
import { parseRecord } from '../reading/parse-record.ts'

export interface ReadRecord {
  readonly line: number
  readonly text: string
  /** How the bytes of the text are written. */
  readonly encoding: 'utf8' | 'latin1'
  /** What it says; absent for a record that is no JSON. */
  readonly row?: JsonValue
}

export async function* readRecords(source: RecordSource): AsyncIterable<ReadRecord> {
  for await (const batch of source.items())
    for (const item of batch) {
      const read = item.kind === 'record' ? readRecord(item) : undefined
      if (read !== undefined) yield read
    }
}

/** The text of a record, and how it is written; `undefined` for one that nobody can read. */
export function textOf({ content }: StoredRecord): Pick<ReadRecord, 'text' | 'encoding'> | undefined {
  if (content.kind === 'value') return { text: String(jsonLine(content.value)), encoding: 'utf8' }
  if (content.kind !== 'bytes') return undefined
  // Bytes that are no UTF-8 have to stay what they are.
  const encoding = isUtf8(content.bytes) ? 'utf8' : 'latin1'
  return { text: content.bytes.toString(encoding), encoding }
}

/** `undefined` for a record that nobody can read. */
export function readRecord(
  record: StoredRecord,
  read: ReturnType<typeof textOf> = textOf(record),
): ReadRecord | undefined {
  if (read === undefined) return undefined
  const { line, content } = record
  const parsed = read.encoding === 'utf8' ? parseRecord(content) : undefined
  return { line, ...read, ...(parsed?.kind === 'value' && { row: parsed.value }) }
}
