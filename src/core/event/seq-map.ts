/**
 * What is remembered by seq of many events of a log: four bytes a seq where seqs follow one another, as they do in every
 * sound log, and a map for those that are far out.
 */

const NONE = -1
/** Most logs are small, and there may be a hundred thousand of them. */
const FIRST = 256
/** Seqs below twice this are never far out. */
const NEAR = 4096

/** A count by seq. */
export class SeqIndex {
  #near = new Int32Array(FIRST).fill(NONE)
  readonly #far = new Map<number, number>()

  /** @param seq - anything that a log may name where a seq belongs. */
  get(seq: unknown): number | undefined {
    if (typeof seq !== 'number') return undefined
    const near = this.#near[seq]
    if (near === undefined) return this.#far.get(seq)
    return near === NONE ? undefined : near
  }

  /** Seq and value are counts. */
  set(seq: number, value: number): void {
    const { length } = this.#near
    if (seq >= length && seq < 2 * Math.max(length, NEAR)) this.#grow(seq)
    if (seq < this.#near.length) this.#near[seq] = value
    else this.#far.set(seq, value)
  }

  delete(seq: number): void {
    if (seq < this.#near.length) this.#near[seq] = NONE
    else this.#far.delete(seq)
  }

  #grow(seq: number): void {
    let length = 2 * this.#near.length
    while (length <= seq) length *= 2
    const more = new Int32Array(length).fill(NONE)
    more.set(this.#near)
    this.#near = more
    for (const [seq, value] of this.#far) {
      if (seq >= more.length) continue
      more[seq] = value
      this.#far.delete(seq)
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
