/**
 * Times moved together: every difference, and every step backwards, stays. The first time of a log comes to be at a
 * fixed moment, so that nothing says when it was.
 */
import { DEPTH_SINCE } from '../event/decode-header.ts'

/** Times of this log are distinguished from older ones by a reader (format.md §2.2), so each kind moves to its own side. */
const LATER_START = Date.UTC(2026, 8, 1)
const EARLIER_START = Date.UTC(2026, 0, 1)

const MILLISECONDS = /^\d{13}$/
const LEAST = 1_000_000_000_000
const MOST = 9_999_999_999_999

export class TimeShift {
  #by: number | undefined

  /** @returns the moved time; `undefined` for a number that is no time of our days. */
  timeFor(written: string): string | undefined {
    if (!MILLISECONDS.test(written)) return undefined
    const time = Number(written)
    this.#by ??= (time >= DEPTH_SINCE ? LATER_START : EARLIER_START) - time
    return String(Math.min(MOST, Math.max(LEAST, time + this.#by)))
  }
}
