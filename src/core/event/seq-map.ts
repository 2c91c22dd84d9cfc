/**
 * What is remembered by seq of many events of a log: four bytes a seq where seqs follow one another, as they do in every
 * sound log, and a map for those that are far out.
 */

const NONE = -1
const PIECE_BITS = 12
const PIECE = 1 << PIECE_BITS
const IN_PIECE = PIECE - 1
/** The first piece begins small: a store has thousands of small logs. */
const FIRST = 64

/** A count by seq. */
export class SeqIndex {
  /** Of the seqs from 0 on, in pieces. */
  readonly #near: Int32Array[] = []
  /** The first seq for which there is no room. */
  #end = 0
  readonly #far = new Map<number, number>()

  /** @param seq - anything that a log may name where a seq belongs. */
  get(seq: unknown): number | undefined {
    if (typeof seq !== 'number') return undefined
    if (!this.#isNear(seq)) return this.#far.get(seq)
    const value = this.#near[seq >>> PIECE_BITS]?.[seq & IN_PIECE]
    return value === NONE ? undefined : value
  }

  /** Seq and value are counts. */
  set(seq: number, value: number): void {
    // A seq that is far out reserves nothing before it.
    if (seq >= this.#end && seq < 2 * this.#end + PIECE) this.#grow(seq)
    const piece = this.#isNear(seq) ? this.#near[seq >>> PIECE_BITS] : undefined
    if (piece === undefined) this.#far.set(seq, value)
    else piece[seq & IN_PIECE] = value
  }

  delete(seq: number): void {
    const piece = this.#isNear(seq) ? this.#near[seq >>> PIECE_BITS] : undefined
    if (piece === undefined) this.#far.delete(seq)
    else piece[seq & IN_PIECE] = NONE
  }

  #isNear(seq: number): boolean {
    return Number.isInteger(seq) && seq >= 0 && seq < this.#end
  }

  #addPiece(): void {
    const [first] = this.#near
    if (first !== undefined && this.#end >= PIECE) {
      this.#near.push(new Int32Array(PIECE).fill(NONE))
      this.#end += PIECE
      return
    }
    const more = new Int32Array(Math.max(FIRST, 2 * this.#end)).fill(NONE)
    if (first !== undefined) more.set(first)
    this.#near[0] = more
    this.#end = more.length
  }

  #grow(seq: number): void {
    while (this.#end <= seq) this.#addPiece()
    for (const [far, value] of this.#far) {
      if (!this.#isNear(far)) continue
      this.#far.delete(far)
      this.set(far, value)
    }
  }
}

/** Any value by seq, used like a `Map`. */
export class SeqMap<Value> {
  readonly #positions = new SeqIndex()
  readonly #values: (Value | undefined)[] = []

  get(seq: number): Value | undefined {
    const position = this.#positions.get(seq)
    return position === undefined ? undefined : this.#values[position]
  }

  has(seq: number): boolean {
    return this.#positions.get(seq) !== undefined
  }

  set(seq: number, value: Value): void {
    const position = this.#positions.get(seq)
    if (position !== undefined) this.#values[position] = value
    else this.#positions.set(seq, this.#values.push(value) - 1)
  }

  delete(seq: number): void {
    const position = this.#positions.get(seq)
    if (position === undefined) return
    this.#values[position] = undefined
    this.#positions.delete(seq)
  }
}
