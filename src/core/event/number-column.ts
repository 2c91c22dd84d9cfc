/**
 * A list of numbers that are asked for one by one while it grows, in pieces: nothing is copied and hardly anything
 * reserved, which is most of the memory of a log with a million events. A piece holds by how much its numbers differ from
 * the first of them, in as few bytes each as that takes: neighbours are close to each other. Pieces of nothing but
 * {@link NONE} take no room. A list that is wanted as an array at its end is a `NumberList`.
 */
const PIECE_BITS = 13
const IN_PIECE = (1 << PIECE_BITS) - 1
/** A piece begins small: a store has thousands of small logs. */
const FIRST = 32

/** In a list of counts, where there is none. */
export const NONE = -1

export class NumberColumn {
  readonly #pieces: (Piece | undefined)[] = []
  #length = 0
  readonly #base: number | undefined

  /** @param base - what the numbers lie around, where neighbours are not close to each other. */
  constructor(base?: number) {
    this.#base = base
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    this.set(this.#length, value)
  }

  /** @param index - of a number that was set. */
  at(index: number): number {
    const piece = this.#pieces[index >>> PIECE_BITS]
    return piece === undefined ? NONE : piece.at(index & IN_PIECE)
  }

  /** @param index - anywhere; between the last number and a later one is {@link NONE}. */
  set(index: number, value: number): void {
    if (index >= this.#length) this.#length = index + 1
    let piece = this.#pieces[index >>> PIECE_BITS]
    if (piece === undefined) {
      if (value === NONE) return
      piece = new Piece(this.#base ?? value)
      this.#pieces[index >>> PIECE_BITS] = piece
    }
    piece.set(index & IN_PIECE, value)
  }
}

/** From the narrowest on; in the last, numbers are kept as they are. */
const WIDTHS = [Int8Array, Int16Array, Int32Array, Float64Array] as const
const EXACT = WIDTHS.length - 1

class Piece {
  #width = 0
  #kept: InstanceType<(typeof WIDTHS)[number]> = new Int8Array(FIRST)
  readonly #base: number

  constructor(base: number) {
    this.#base = base
  }

  at(index: number): number {
    const kept = this.#kept[index]
    if (kept === undefined) return NONE
    if (this.#width === EXACT) return kept
    if (kept === 0) return NONE
    return this.#base + (kept > 0 ? kept - 1 : kept)
  }

  set(index: number, value: number): void {
    if (index >= this.#kept.length) this.#resize(this.#width, Math.max(index + 1, 2 * this.#kept.length))
    this.#put(index, value)
    // Whatever does not fit is read back as something else.
    while (!Object.is(this.at(index), value)) {
      this.#resize(this.#width + 1, this.#kept.length)
      this.#put(index, value)
    }
  }

  #put(index: number, value: number): void {
    const apart = value - this.#base
    this.#kept[index] = this.#width === EXACT ? value : value === NONE ? 0 : apart < 0 ? apart : apart + 1
  }

  #resize(width: number, length: number): void {
    const Numbers = WIDTHS[width] as (typeof WIDTHS)[number]
    const kept = new Numbers(length)
    if (width === EXACT) for (let index = 0; index < length; index++) kept[index] = this.at(index)
    else kept.set(this.#kept)
    this.#width = width
    this.#kept = kept
  }
}
