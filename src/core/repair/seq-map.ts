/**
 * Where events go when a log is renumbered: whole stretches of seqs that move by the same distance. A seq that lies in
 * no stretch belongs to an event that is gone.
 */

/** The events from `first` up to, not including, `end`, which all move by `shift`. */
export interface Stretch {
  readonly first: number
  readonly end: number
  readonly shift: number
}

export class SeqMap {
  readonly #stretches: readonly Stretch[]

  /** @param stretches - rising and without overlap. */
  constructor(stretches: readonly Stretch[]) {
    this.#stretches = stretches
  }

  /** Makes room in front of the events `before`, one place for every time a seq is listed. */
  static opening(before: readonly number[]): SeqMap {
    const stretches: Stretch[] = []
    let first = 0
    for (const [index, seq] of before.toSorted((a, b) => a - b).entries()) {
      if (seq > first) stretches.push({ first, end: seq, shift: index })
      first = Math.max(first, seq)
    }
    stretches.push({ first, end: Number.POSITIVE_INFINITY, shift: before.length })
    return new SeqMap(stretches)
  }

  /** The new seq of an event; `undefined` when the event is gone. */
  of(seq: number): number | undefined {
    const stretch = this.#stretches[this.#upTo(seq)]
    return stretch !== undefined && seq < stretch.end ? seq + stretch.shift : undefined
  }

  /** Whether nothing below `seq` moves or is gone. */
  keepsBelow(seq: number): boolean {
    const [stretch] = this.#stretches
    return seq === 0 || (stretch?.first === 0 && stretch.shift === 0 && seq <= stretch.end)
  }

  /** How many events there are in the new log of those that had a seq below `count`. */
  countBelow(count: number): number {
    if (count === 0) return 0
    const stretch = this.#stretches[this.#upTo(count - 1)]
    return stretch === undefined ? 0 : Math.min(count, stretch.end) + stretch.shift
  }

  /** Index of the last stretch that begins at or before `seq`; -1 when there is none. */
  #upTo(seq: number): number {
    let low = 0
    let high = this.#stretches.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#stretches[middle] as Stretch).first <= seq) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
