/**
 * A list of numbers that are asked for one by one while it grows, in pieces of typed arrays: nothing is copied and hardly
 * anything reserved, which is most of the memory of a log with a million events. One that is wanted as an array at its end
 * is a `NumberList`.
 */
type Numbers = Int32Array | Float64Array

const PIECE_BITS = 13
const PIECE = 1 << PIECE_BITS
const IN_PIECE = PIECE - 1
/** The first piece begins small: a store has thousands of small logs. */
const FIRST = 32

export class NumberColumn<Kind extends Numbers> {
  readonly #pieces: Kind[] = []
  #length = 0
  readonly #make: (length: number) => Kind
  /** How many numbers there is room for. */
  #room = 0

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
    if (this.#length === this.#room) this.#grow()
    this.set(this.#length++, value)
  }

  #grow(): void {
    const [first] = this.#pieces
    if (first !== undefined && this.#room >= PIECE) {
      this.#pieces.push(this.#make(PIECE))
      this.#room += PIECE
      return
    }
    const more = this.#make(Math.max(FIRST, 2 * this.#room))
    if (first !== undefined) more.set(first)
    this.#pieces[0] = more
    this.#room = more.length
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
