/** The rows of a log in the order that was decided for them: what loses goes out, what follows a gap moves up. */
import { isCount, isJsonObject, type JsonObject } from '../../core/json/json-value.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import type { Arrangement, RunFate } from '../../core/repair/arrange-runs.ts'
import { type Renaming, renaming, renumberRow } from '../../core/repair/renumber-row.ts'
import { SeqMap } from '../../core/repair/seq-map.ts'
import { expandRow } from '../../storage/packed-rows/expand-row.ts'
import type { StoredRecord } from '../../storage/record-source.ts'
import type { RecordEdit } from './edited-source.ts'
import type { Quarantine } from './quarantine.ts'
import { lineOf, rowIn } from './stored-row.ts'

export function arrangedRows({ fates, stretches }: Arrangement, quarantine: Quarantine): () => RecordEdit {
  const map = new SeqMap(stretches)
  const names = renaming(map)
  return () => {
    let next = 0
    return (record) => {
      const { line } = record
      if (line === 1) return renumberedHeader(record, map)
      while (next < fates.length && (fates[next] as RunFate).run.lastPlace < line) next++
      const fate = fates[next]
      return fate === undefined ? undefined : arranged(record, fate, names, quarantine)
    }
  }
}

function arranged(
  record: StoredRecord,
  fate: RunFate,
  names: Renaming,
  quarantine: Quarantine,
): readonly Buffer[] | undefined {
  const { run, from, until, shift, movedTo } = fate
  const why = fate.why ?? 'order/seq-repeated'
  if (from === until) {
    quarantine.record(record, why)
    return []
  }
  if (from === run.first && until === run.first + run.rows && shift === 0) return undefined
  const value = rowIn(record)
  if (!isJsonObject(value)) return undefined
  const seq = movedTo ?? ((value.seq0 ?? value.seq) as number)
  const { rows } = expandRow(value) as { rows: readonly JsonObject[] }
  const kept = rows.filter((_, member) => seq + member >= from && seq + member < until)
  if (kept.length < rows.length) {
    const rest = rows.filter((row) => !kept.includes(row))
    quarantine.record(record, why, Buffer.from(rest.map((row) => stringifyJson(row)).join('\n')))
    return kept.map((row) => lineOf(renumberRow(row, (row.seq as number) + shift, names)))
  }
  return shift === 0 && movedTo === undefined ? undefined : [lineOf(renumberRow(value, seq + shift, names))]
}

/** A fork counts its inherited events in the header. */
export function renumberedHeader(record: StoredRecord, map: SeqMap): readonly Buffer[] | undefined {
  const header = rowIn(record)
  if (!isJsonObject(header) || !isCount(header.seedLength)) return undefined
  const seedLength = map.countBelow(header.seedLength)
  return seedLength === header.seedLength ? undefined : [lineOf({ ...header, seedLength })]
}
