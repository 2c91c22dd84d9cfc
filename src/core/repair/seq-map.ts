/**
 * Where events go when a log is renumbered: whole ranges of seqs that move by the same distance. A seq that lies in
 * no range belongs to an event that is gone.
 */
import { firstIndex } from '../json/first-index.ts'

/** The events from `first` up to, not including, `end`, which all move by `shift`. */
export interface MovedRange {
  readonly first: number
  readonly end: number
  readonly shift: number
}

export class SeqMap {
  readonly #ranges: readonly MovedRange[]
  readonly #standIns: ReadonlyMap<number, number>

  /**
   * @param ranges - rising and without overlap.
   * @param standIns - seqs of events that are gone, and the new seqs of those that references to them are to name.
   */
  constructor(ranges: readonly MovedRange[], standIns: ReadonlyMap<number, number> = new Map()) {
    this.#ranges = ranges
    this.#standIns = standIns
  }

  /** Makes room in front of the events `before`, one place for every time a seq is listed. */
  static opening(before: readonly number[]): SeqMap {
    const ranges: MovedRange[] = []
    let first = 0
    for (const [index, seq] of before.toSorted((a, b) => a - b).entries()) {
      if (seq > first) ranges.push({ first, end: seq, shift: index })
      first = Math.max(first, seq)
    }
    ranges.push({ first, end: Number.POSITIVE_INFINITY, shift: before.length })
    return new SeqMap(ranges)
  }

  /** The new seq of an event, or of the one that stands in for it; `undefined` when the event is gone. */
  of(seq: number): number | undefined {
    const range = this.#ranges[this.#upTo(seq)]
    return range !== undefined && seq < range.end ? seq + range.shift : this.#standIns.get(seq)
  }

  /** The seq that the event had which has this one now; `undefined` for an event that was put in. */
  before(seq: number): number | undefined {
    const range = this.#ranges.find(({ first, end, shift }) => first + shift <= seq && seq < end + shift)
    return range && seq - range.shift
  }

  /** Whether nothing below `seq` moves or is gone. */
  keepsBelow(seq: number): boolean {
    const [range] = this.#ranges
    return seq === 0 || (range?.first === 0 && range.shift === 0 && seq <= range.end)
  }

  /**
   * How many events there are in the new log of those that had a seq below `count`. What was put into a gap counts as
   * far as the gap lies below.
   */
  countBelow(count: number): number {
    if (count === 0) return 0
    const index = this.#upTo(count - 1)
    const range = this.#ranges[index]
    if (range !== undefined && count <= range.end) return count + range.shift
    const kept = range === undefined ? { end: 0, shift: 0 } : range
    const next = this.#ranges[index + 1]
    const put = next === undefined ? 0 : next.first + next.shift - (kept.end + kept.shift)
    return kept.end + kept.shift + Math.min(count - kept.end, put)
  }

  /** Index of the last range that begins at or before `seq`; -1 when there is none. */
  #upTo(seq: number): number {
    const ranges = this.#ranges
    return firstIndex(ranges.length, (index) => (ranges[index] as MovedRange).first <= seq) - 1
  }
}
