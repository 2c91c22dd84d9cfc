/**
 * A list of numbers that are asked for one by one while it grows, in pieces of typed arrays: nothing is copied and hardly
 * anything reserved, which is most of the memory of a log with a million events. One that is wanted as an array at its end
 * is a `NumberList`.
 */
type Numbers = Int32Array | Float64Array

const PIECE_BITS = 13
const PIECE = 1 << PIECE_BITS
const IN_PIECE = PIECE - 1

export class NumberColumn<Kind extends Numbers> {
  readonly #pieces: Kind[] = []
  #length = 0
  readonly #make: (length: number) => Kind

  private constructor(make: (length: number) => Kind) {
    this.#make = make
  }

  /** Of whole numbers of 32 bits. */
  static small(): NumberColumn<Int32Array> {
    return new NumberColumn((length) => new Int32Array(length))
  }

  /** Of seqs and byte offsets. */
  static large(): NumberColumn<Float64Array> {
    return new NumberColumn((length) => new Float64Array(length))
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    const index = this.#length++
    if ((index & IN_PIECE) === 0) this.#pieces.push(this.#make(PIECE))
    this.set(index, value)
  }

  /** @param index - of a number that was pushed. */
  at(index: number): number {
    return this.#pieces[index >>> PIECE_BITS]?.[index & IN_PIECE] as number
  }

  set(index: number, value: number): void {
    const piece = this.#pieces[index >>> PIECE_BITS]
    if (piece !== undefined) piece[index & IN_PIECE] = value
  }
}
