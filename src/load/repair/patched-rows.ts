/** Rows with small changes of their own, by the seq of the event. */
import { isCount, isJsonObject } from '../../core/json/json-value.ts'
import { patchRow, type RowPatch } from '../../core/repair/row-patch.ts'
import type { RecordEdit } from './edited-source.ts'
import { lineOf, rowIn } from './stored-row.ts'

export function patchedRows(patches: ReadonlyMap<number, readonly RowPatch[]>): () => RecordEdit {
  return () => (record) => {
    const value = rowIn(record)
    const seq = isJsonObject(value) ? value.seq : undefined
    const wanted = isCount(seq) ? patches.get(seq) : undefined
    if (wanted === undefined || !isJsonObject(value)) return undefined
    return [lineOf(wanted.reduce(patchRow, value))]
  }
}
