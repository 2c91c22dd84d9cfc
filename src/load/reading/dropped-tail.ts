/** The part after a break that no turn end follows: DSH drops it, and this counts what would go with it. */
import type { Finding } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'

export class DroppedTail {
  /** Valid events in it. */
  events = 0
  /** DSH takes the file to end before it, so nothing in it is looked at. */
  isHidden = false
  #first = 0
  #last = 0
  readonly #origin: Origin
  readonly cause: Finding

  constructor(origin: Origin, cause: Finding) {
    this.#origin = origin
    this.cause = cause
  }

  count(seq: number, rows: number): void {
    this.#first = this.events === 0 ? seq : Math.min(this.#first, seq)
    this.#last = Math.max(this.#last, seq + rows - 1)
    this.events += rows
  }

  finding(): Finding | undefined {
    if (this.events === 0) return undefined
    const args = { rows: this.events, first: this.#first, last: this.#last }
    const related = [this.#first, this.#last]
    return {
      code: 'order/rows-dropped',
      origin: this.#origin,
      seq: this.#first,
      args,
      related,
      causedBy: this.cause,
    }
  }
}
