/** The gaps of a log, for everything that says what is lost. */
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { PlacedGap } from '../replay/gap.ts'
import type { Reducer } from '../replay/reducer.ts'

/** Gaps that are kept; a log with more of them has hardly anything else. */
const MOST_KEPT = 1000

export interface Gaps {
  /** The first of them. */
  readonly kept: readonly PlacedGap[]
  readonly count: number
}

export function gaps(): Reducer<Gaps> {
  const kept: PlacedGap[] = []
  let count = 0
  return {
    onDeltas: ignoreDeltas,
    on() {},
    onGap(gap) {
      count++
      if (kept.length < MOST_KEPT) kept.push(gap)
    },
    finish: () => ({ kept, count }),
  }
}
