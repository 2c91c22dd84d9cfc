/** The largest of many items; of equal ones those that came first. */
export class Largest<Item> {
  readonly #items: Item[] = []
  readonly #most: number
  readonly #sizeOf: (item: Item) => number
  /** How many items are not among them. */
  leftOut = 0

  constructor(most: number, sizeOf: (item: Item) => number) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  add(item: Item): void {
    const size = this.#sizeOf(item)
    const items = this.#items
    let at = items.length
    while (at > 0 && this.#sizeOf(items[at - 1] as Item) < size) at--
    if (at < this.#most) items.splice(at, 0, item)
    if (at >= this.#most || items.length > this.#most) this.leftOut++
    if (items.length > this.#most) items.pop()
  }

  /** Largest first. */
  items(): readonly Item[] {
    return this.#items
  }
}
