/** Which messages the model no longer sees, and what took their place: for marks in what a human reads. */
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'

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
