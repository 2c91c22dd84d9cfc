/** The last items of a list that may be endless, within a number and a weight; what went by is counted. */

export class LastItems<Item> {
  #items: Item[] = []
  /** Items before this place have been let go. */
  #first = 0
  #weight = 0
  readonly #most: number
  readonly #heaviest: number
  readonly #weightOf: (item: Item) => number
  /** How many items were let go. */
  leftOut = 0

  /** @param heaviest - most that the kept items may weigh together; the last one is kept whatever it weighs. */
  constructor(
    most: number,
    heaviest: number = Number.POSITIVE_INFINITY,
    weightOf: (item: Item) => number = () => 0,
  ) {
    this.#most = most
    this.#heaviest = heaviest
    this.#weightOf = weightOf
  }

  push(item: Item): void {
    this.#items.push(item)
    this.#weight += this.#weightOf(item)
    while (this.#isTooMuch()) {
      this.#weight -= this.#weightOf(this.#items[this.#first++] as Item)
      this.leftOut++
    }
    // Moved down rarely, so that a step costs the same however many items went by.
    if (this.#first > this.#items.length / 2) {
      this.#items = this.#items.slice(this.#first)
      this.#first = 0
    }
  }

  /** The kept items, oldest first. */
  items(): readonly Item[] {
    return this.#items.slice(this.#first)
  }

  #isTooMuch(): boolean {
    const count = this.#items.length - this.#first
    return count > this.#most || (count > 1 && this.#weight > this.#heaviest)
  }
}
