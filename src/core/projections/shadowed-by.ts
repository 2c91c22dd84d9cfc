/** Which messages the model no longer sees, and what took their place: for marks in what a human reads. */
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import type { TranscriptEntry } from './transcript.ts'

/** @returns the seqs of shadowed messages, each with the seq of the replacement that took it off the surface. */
export function shadowedBy(): Reducer<ReadonlyMap<number, number>> {
  const by = new Map<number, number>()
  return {
    onDeltas: ignoreDeltas,
    on({ event, effect }) {
      if (effect.kind !== 'replace') return
      for (const seq of effect.replacement.shadowed) by.set(seq, event.seq)
    },
    finish: () => by,
  }
}

/** The entry, with the seq of the replacement, where it is of a message that the model no longer sees. */
export function withMark<Entry extends TranscriptEntry>(
  entry: Entry,
  shadowed: ReadonlyMap<number, number>,
): Entry & { readonly replacedBy?: number } {
  const replacedBy = isMessage(entry) ? shadowed.get(entry.seq) : undefined
  return replacedBy === undefined ? entry : { ...entry, replacedBy }
}

/** Whether an entry is of a message that was put on the surface. */
export function isMessage({ kind }: Pick<TranscriptEntry, 'kind'>): boolean {
  return kind === 'user' || kind === 'context' || kind === 'assistant' || kind === 'tool'
}
