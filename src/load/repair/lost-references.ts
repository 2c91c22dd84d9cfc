/** Which events of a log name seqs that are lost, before the names are gone: they tell what was in a gap. */
import { isCount, isJsonObject, type JsonObject } from '../../core/json/json-value.ts'
import type { LostReferences } from '../../core/repair/fill-gaps.ts'
import type { NeededMessage } from '../../core/repair/gaps.ts'
import type { SeqMap } from '../../core/repair/seq-map.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { rowIn } from '../reading/stored-row.ts'

/** @param places - where the events go; a seq without a place is lost. @returns them by their new seqs. */
export async function lostReferences(source: RecordSource, places: SeqMap): Promise<LostReferences> {
  const by = new Map<number, readonly number[]>()
  const messages = new Set<number>()
  const needed = new Map<number, NeededMessage>()
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind !== 'record') continue
      const row = rowIn(item)?.value
      if (!isJsonObject(row) || !isCount(row.seq)) continue
      const { surfaceOp: op, sourceEventSeqs: sources, seq } = row
      const own = places.of(seq)
      if (own === undefined) continue
      const isLost = (name: number): boolean => name < seq && places.of(name) === undefined
      const about = messagesOf(row)
      if (about !== undefined && about.seqs.length > 0 && about.seqs.every(isLost)) needed.set(own, about)
      if (op === undefined && sources === undefined) continue
      const range = isJsonObject(op) ? [op.startSeq ?? op.start] : []
      const lost = [...(Array.isArray(sources) ? sources : []), ...range].filter(isCount).filter(isLost)
      if (lost.length === 0) continue
      by.set(own, lost)
      if (isJsonObject(op)) for (const seq of lost) messages.add(seq)
    }
  }
  return { by, messages, needed }
}

/** The messages that a title or a summary is made from. */
function messagesOf({ type, data }: JsonObject): NeededMessage | undefined {
  if (!isJsonObject(data)) return undefined
  const isTitle = type === 'session/title' || type === 'session/title-llm-request'
  const list = isTitle ? data.messageSeqs : type === 'compaction/summary' ? data.shadowedSeqs : undefined
  return Array.isArray(list) ? { seqs: list.filter(isCount), isOfUser: isTitle } : undefined
}
