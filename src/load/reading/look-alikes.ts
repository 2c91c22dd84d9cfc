/**
 * Two look-alikes that are no session logs (format.md §2.8): recordings of the DSH repository whose seqs and times
 * were taken out, and the stream of the headless command line. Both can be read on request.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { expandRow } from '../../storage/packed-rows/expand-row.ts'
import type { RecordSource, StoredItem, StoredRecord } from '../../storage/record-source.ts'
import { rowIn } from './stored-row.ts'

export type LookAlike = 'snapshot' | 'stream-json'

export const LOOK_ALIKES: readonly LookAlike[] = ['snapshot', 'stream-json']

/** The dialect that a record of an otherwise unreadable log speaks. */
export function lookAlikeOf(value: JsonValue): LookAlike | undefined {
  if (!isJsonObject(value) || typeof value.type !== 'string') return undefined
  if (value.type === 'session_event' && isJsonObject(value.event)) return 'stream-json'
  const isRow = Object.hasOwn(value, 'data') && value.seq === undefined && value.seq0 === undefined
  return isRow && value.time === undefined && value.time0 === undefined ? 'snapshot' : undefined
}

/** The records of a dialect in the shape of a session log. */
export function lookAlikeSource(source: RecordSource, dialect: LookAlike): RecordSource {
  const translate = dialect === 'snapshot' ? () => new SnapshotTranslator() : () => new StreamTranslator()
  return {
    async *items(fromLine = 1): AsyncIterable<readonly StoredItem[]> {
      const translator = translate()
      for await (const batch of source.items()) {
        const items = batch.flatMap((item) => (item.kind === 'record' ? translator.translate(item) : [item]))
        yield fromLine > 1 ? items.filter((item) => item.kind === 'record' && item.line >= fromLine) : items
      }
    },
  }
}

/** Gives rows the running index as seq, and times that rise with it. */
class SnapshotTranslator {
  #seq = 0

  translate(record: StoredRecord): StoredItem[] {
    const value = objectOf(record)
    if (value === undefined || record.line === 1) return [record]
    const time = this.#seq
    const { type, ...rest } = value
    const isPacked = typeof type === 'string' && type.endsWith('-chunks')
    const row: JsonObject = isPacked
      ? { type, seq0: this.#seq, time0: time, ...rest }
      : { type, seq: this.#seq, time, ...rest }
    const expanded = expandRow(row)
    this.#seq += expanded.kind === 'row' ? expanded.rows.length : 1
    return [{ ...record, content: { kind: 'value', value: row } }]
  }
}

/** Unwraps events; the stream has no header, so one is made from what its first line says. */
class StreamTranslator {
  #line = 1

  translate(record: StoredRecord): StoredItem[] {
    const value = objectOf(record)
    if (value === undefined || value.type === 'result') return []
    if (value.type !== 'session_event' || !isJsonObject(value.event)) return [record]
    const items: StoredItem[] = []
    if (this.#line === 1) {
      const createdAt = typeof value.event.time === 'number' ? value.event.time : 0
      const header = { type: 'session', version: 0, id: value.sessionId ?? '', createdAt, delegationDepth: 0 }
      items.push({ ...record, line: this.#line++, content: { kind: 'value', value: header } })
    }
    items.push({ ...record, line: this.#line++, content: { kind: 'value', value: value.event } })
    return items
  }
}

function objectOf(record: StoredRecord): JsonObject | undefined {
  const value = rowIn(record)?.value
  return value !== undefined && isJsonObject(value) ? value : undefined
}
