/**
 * A log with changes, as a source of records like any other: what a repair plans can be replayed and checked before
 * a byte of it is written. Records that stay keep their place in the file; what is new or rewritten has none.
 */
import type { RecordSource, StoredItem, StoredRecord } from '../../storage/record-source.ts'
import type { Quarantine } from './quarantine.ts'

/** The lines that stand for a record from now on; `undefined` keeps it as it is. */
export type RecordEdit = (record: StoredRecord) => readonly Buffer[] | undefined

export interface Edits {
  /** A fresh edit for every reading, for it may count. */
  readonly begin: () => RecordEdit
  /** Lines behind the last record. */
  readonly appended?: readonly Buffer[]
  /** Where bytes go that no record could be made of. Without it the container is taken to be whole. */
  readonly lost?: Quarantine
}

export function editedSource(source: RecordSource, { begin, appended = [], lost }: Edits): RecordSource {
  return {
    async *items(fromLine = 1): AsyncIterable<readonly StoredItem[]> {
      const edit = begin()
      let line = 0
      for await (const batch of source.items()) {
        const records: StoredRecord[] = []
        for (const item of batch) {
          if (item.kind === 'fault') lost?.fault(item)
          else {
            const lines = edit(item)
            if (lines === undefined) records.push({ ...item, line: ++line })
            else for (const bytes of lines) records.push(newRecord(bytes, ++line))
          }
        }
        const wanted = fromLine > 1 ? records.filter((record) => record.line >= fromLine) : records
        if (wanted.length > 0) yield wanted
      }
      if (appended.length > 0) yield appended.map((bytes) => newRecord(bytes, ++line))
    },
  }
}

function newRecord(bytes: Buffer, line: number): StoredRecord {
  return { kind: 'record', line, origin: {}, content: { kind: 'bytes', bytes }, ended: true }
}
