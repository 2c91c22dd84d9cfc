/**
 * What is remembered by seq of many events of a log: a byte or two a seq where seqs follow one another, as they do in every
 * sound log, and a map for those that are far out.
 */
import { NONE, NumberColumn } from './number-column.ts'

/** Seqs that are further out reserve nothing before them. */
const NEAR = 4096

/** A count by seq. */
export class SeqIndex {
  /** Of the seqs from 0 on. */
  readonly #near = new NumberColumn()
  readonly #far = new Map<number, number>()

  /** @param seq - anything that a log may name where a seq belongs. */
  get(seq: unknown): number | undefined {
    if (typeof seq !== 'number') return undefined
    const value = this.#isNear(seq) ? this.#near.at(seq) : NONE
    return value === NONE ? this.#far.get(seq) : value
  }

  /** Seq and value are counts. */
  set(seq: number, value: number): void {
    if (seq < 2 * this.#near.length + NEAR && !this.#far.has(seq)) this.#near.set(seq, value)
    else this.#far.set(seq, value)
  }

  delete(seq: number): void {
    if (this.#isNear(seq)) this.#near.set(seq, NONE)
    this.#far.delete(seq)
  }

  #isNear(seq: number): boolean {
    return Number.isInteger(seq) && seq >= 0 && seq < this.#near.length
  }
}

/** Any value by seq, used like a `Map`. */
export class SeqTable<Value> {
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
