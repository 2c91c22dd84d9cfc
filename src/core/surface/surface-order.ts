/**
 * The ordered list of surface nodes: one `number[]`, as the specification says.
 *
 * Next to it every node carries a rank that grows along the surface: an append takes the next one, a replacement
 * inherits the rank of the first node it removes. A node is therefore found by binary search, and two hundred
 * thousand replacements do not walk the surface two hundred thousand times.
 */
import { SeqIndex } from '../event/seq-index.ts'

export class SurfaceOrder {
  readonly nodes: number[] = []
  readonly #rankOf = new SeqIndex()
  #nextRank = 0

  /** Position of `seq` on the surface, or -1. */
  indexOf(seq: number): number {
    const rank = this.#rankOf.get(seq)
    if (rank === undefined) return -1
    let low = 0
    let high = this.nodes.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#rankAt(middle) < rank) low = middle + 1
      else high = middle
    }
    return low
  }

  has(seq: number): boolean {
    return this.#rankOf.get(seq) !== undefined
  }

  push(seq: number): void {
    this.nodes.push(seq)
    this.#rankOf.set(seq, this.#nextRank++)
  }

  /** Puts `seq` in the place of the nodes at positions `from` through `to`. */
  replace(from: number, to: number, seq: number): void {
    const rank = this.#rankAt(from)
    for (let index = from; index <= to; index++) this.#rankOf.delete(this.nodes[index] as number)
    if (from === to) this.nodes[from] = seq
    else this.nodes.splice(from, to - from + 1, seq)
    this.#rankOf.set(seq, rank)
  }

  #rankAt(position: number): number {
    return this.#rankOf.get(this.nodes[position]) as number
  }
}
