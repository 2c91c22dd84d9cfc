/**
 * How often something is looked at again, and for how long. Time is counted in pauses: a machine that is slow makes them
 * longer, never the number of looks smaller.
 */
import { setTimeout as pause } from 'node:timers/promises'

/** How waiting for more is timed. */
export interface PollTiming {
  /** No more is waited for. */
  readonly isOver: boolean
  /** Something new has come. */
  restart(): void
  /** Waits for the next look, or until it is over. */
  wait(): Promise<void>
}

export interface PollTimerOptions {
  /** Milliseconds between two looks. */
  readonly interval: number
  /** Milliseconds without anything new after which it is over; absent for never. */
  readonly idle?: number | undefined
  /** Ends it at once. */
  readonly stop?: AbortSignal | undefined
}

export class PollTimer implements PollTiming {
  readonly #interval: number
  readonly #idle: number
  readonly #stop: AbortSignal | undefined
  #rested = 0

  constructor({ interval, idle = Number.POSITIVE_INFINITY, stop }: PollTimerOptions) {
    this.#interval = interval
    this.#idle = idle
    this.#stop = stop
  }

  get isOver(): boolean {
    return this.#stop?.aborted === true || this.#rested >= this.#idle
  }

  restart(): void {
    this.#rested = 0
  }

  async wait(): Promise<void> {
    const length = Math.min(this.#interval, this.#idle - this.#rested)
    this.#rested += length
    await pause(length, undefined, { ...(this.#stop && { signal: this.#stop }) }).catch(() => undefined)
  }
}
