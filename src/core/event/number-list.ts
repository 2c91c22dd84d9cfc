/** A list of numbers that grows in one typed array: a log has a million events, and each needs a few numbers. */
type Numbers = Int32Array | Float64Array

export class NumberList<Kind extends Numbers> {
  #numbers: Kind
  #length = 0
  readonly #make: (length: number) => Kind

  private constructor(make: (length: number) => Kind) {
    this.#make = make
    this.#numbers = make(1024)
  }

  /** Of whole numbers of 32 bits. */
  static small(): NumberList<Int32Array> {
    return new NumberList((length) => new Int32Array(length))
  }

  /** Of seqs and byte offsets. */
  static large(): NumberList<Float64Array> {
    return new NumberList((length) => new Float64Array(length))
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const more = this.#make(2 * this.#length)
      more.set(this.#numbers)
      this.#numbers = more
    }
    this.#numbers[this.#length++] = value
  }

  /** A view of what it holds now. */
  values(): Kind {
    return this.#numbers.subarray(0, this.#length) as Kind
  }
}
