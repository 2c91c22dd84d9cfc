/** How long tools took: from the start of a call to its result, as the log has the times. */
import { answeredCallId } from '../event/session-event.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import { textIn } from '../replay/turn-cursor.ts'

/** @returns milliseconds by the seq of the result. A result without a recorded start has no time. */
export function toolTimes(): Reducer<ReadonlyMap<number, number>> {
  const started = new Map<string, number>()
  const times = new Map<number, number>()
  return {
    onDeltas: ignoreDeltas,
    on({ event }) {
      if (event.type === 'tool/call') started.set(textIn(event, 'callId'), event.time)
      else if (event.type === 'tool/result' && event.surfaceOp === 'append') {
        const callId = answeredCallId(event) ?? ''
        const start = started.get(callId)
        started.delete(callId)
        if (start !== undefined && event.time >= start) times.set(event.seq, event.time - start)
      }
    },
    finish: () => times,
  }
}
