/** Times are judged within the log, never against a clock: going back by more than a day is worth a note. */
import type { FindingSink } from '../findings/finding.ts'
import type { Reducer } from '../replay/reducer.ts'

const DAY_MS = 86_400_000

export function timeChecks(report: FindingSink): Reducer<void> {
  let latest = Number.NEGATIVE_INFINITY
  return {
    onDeltas({ lastTime }) {
      latest = Math.max(latest, lastTime)
    },
    on({ event, origin }) {
      const { time, seq } = event
      // A time that could not be read is as 0, and has a finding of its own.
      if (time === 0) return
      if (time < latest - DAY_MS) {
        report({ code: 'order/time-back', origin, seq, args: { days: Math.floor((latest - time) / DAY_MS) } })
        latest = time
      } else if (time > latest) latest = time
    },
    finish() {},
  }
}
