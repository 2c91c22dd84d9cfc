/** Which events of a log name seqs that are lost, before the names are gone: they tell what was in a gap. */
import { isCount, isJsonObject } from '../../core/json/json-value.ts'
import type { LostReferences } from '../../core/repair/fill-gaps.ts'
import type { SeqMap } from '../../core/repair/seq-map.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { rowIn } from '../reading/stored-row.ts'

/** @param places - where the events go; a seq without a place is lost. @returns them by their new seqs. */
export async function lostReferences(source: RecordSource, places: SeqMap): Promise<LostReferences> {
  const by = new Map<number, readonly number[]>()
  const messages = new Set<number>()
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind !== 'record') continue
      const row = rowIn(item)?.value
      if (!isJsonObject(row) || !isCount(row.seq)) continue
      const { surfaceOp: op, sourceEventSeqs: sources, seq } = row
      const own = places.of(seq)
      if (own === undefined || (op === undefined && sources === undefined)) continue
      const range = isJsonObject(op) ? [op.startSeq ?? op.start] : []
      const named = [...(Array.isArray(sources) ? sources : []), ...range].filter(isCount)
      const lost = named.filter((name) => name < seq && places.of(name) === undefined)
      if (lost.length === 0) continue
      by.set(own, lost)
      if (isJsonObject(op)) for (const seq of lost) messages.add(seq)
    }
  }
  return { by, messages }
}
