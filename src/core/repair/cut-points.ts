/** Where a log may be cut without leaving anything open: outside of turns and of compactions. */
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import { numberIn } from '../replay/turn-cursor.ts'

/** The log may be cut after each of the events `first` to `last`. */
export interface CutRange {
  /** The turn that ended before it; absent where the log gives it no number, and before the first turn. */
  readonly turn: number | undefined
  readonly first: number
  last: number
}

export function cutPoints(): Reducer<readonly CutRange[]> {
  const spans: CutRange[] = []
  let isQuiet = false
  let turn: number | undefined
  return {
    onDeltas: ignoreDeltas,
    on({ event, cursor }) {
      const { type, seq } = event
      if (type === 'turn/end') turn = numberIn(event, 'turn')
      const wasQuiet = isQuiet
      isQuiet = cursor.compaction === undefined && cursor.turn === undefined
      const span = spans.at(-1)
      if (isQuiet && wasQuiet && span !== undefined && type !== 'turn/end') span.last = seq
      else if (isQuiet) spans.push({ turn, first: seq, last: seq })
    },
    finish: () => spans,
  }
}
