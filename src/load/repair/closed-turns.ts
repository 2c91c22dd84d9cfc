/** A log whose turns end where they lost events: closers stand at the gap, what cannot be placed goes to quarantine. */

import type { SessionEvent } from '../../core/event/session-event.ts'
import { isCount, isJsonObject } from '../../core/json/json-value.ts'
import type { InterruptedTurn } from '../../core/repair/interrupted-turns.ts'
import { renaming, renumberRow } from '../../core/repair/renumber-row.ts'
import type { SeqMap } from '../../core/repair/seq-map.ts'
import { renumberedHeader } from './arranged-rows.ts'
import type { RecordEdit } from './edited-source.ts'
import type { Quarantine } from './quarantine.ts'
import { lineOf, rowIn } from './stored-row.ts'

export function closedTurns(
  turns: readonly InterruptedTurn[],
  closers: readonly (readonly SessionEvent[])[],
  map: SeqMap,
  quarantine: Quarantine,
): () => RecordEdit {
  const names = renaming(map)
  return () => {
    let next = 0
    return (record) => {
      if (record.line === 1) return renumberedHeader(record, map)
      const row = rowIn(record)
      if (!isJsonObject(row) || !isCount(row.seq) || map.keepsBelow(row.seq + 1)) return undefined
      const { seq } = row
      const lines: Buffer[] = []
      for (; next < turns.length && (turns[next] as InterruptedTurn).from <= seq; next++) {
        for (const closer of closers[next] ?? []) lines.push(lineOf(closer))
      }
      const renamed = map.of(seq)
      if (renamed === undefined) quarantine.record(record, 'order/seq-gap')
      else lines.push(lineOf(renumberRow(row, renamed, names)))
      return lines
    }
  }
}
