/**
 * Any number of texts, looked for at once. A hash of the next few units rolls over the text, so that the time depends on
 * the length of the text and not on how many texts are looked for, unless very many begin alike.
 */
export interface Found<Item> {
  readonly start: number
  readonly item: Item
}

const HASH_BITS = 18
const MASK = (1 << HASH_BITS) - 1
const FACTOR = 31

export class TextFinder<Item extends { readonly find: string }> {
  readonly #width: number
  readonly #lists = new Map<number, Item[]>()
  readonly #mayBegin = new Uint8Array(1 << HASH_BITS)
  /** What the unit that leaves the hash was multiplied by. */
  readonly #leaving: number
  #isSorted = true

  /** @param width - how many units of each text are hashed; none is shorter. */
  constructor(width: number) {
    this.#width = width
    let leaving = 1
    for (let unit = 1; unit < width; unit++) leaving = (leaving * FACTOR) & MASK
    this.#leaving = leaving
  }

  add(item: Item): void {
    const hash = this.#hashOf(item.find)
    const list = this.#lists.get(hash)
    if (list === undefined) this.#lists.set(hash, [item])
    else list.push(item)
    this.#mayBegin[hash] = 1
    this.#isSorted = false
  }

  /** From the start to the end of the text; at each place the longest that `isMeant`. They may overlap. */
  *findIn(text: string, isMeant: (item: Item, at: number) => boolean): Iterable<Found<Item>> {
    if (this.#lists.size === 0 || text.length < this.#width) return
    this.#sort()
    const width = this.#width
    const last = text.length - width
    let hash = this.#hashOf(text)
    for (let at = 0; ; at++) {
      if (this.#mayBegin[hash] === 1) {
        const item = this.#lists.get(hash)?.find((one) => text.startsWith(one.find, at) && isMeant(one, at))
        if (item !== undefined) yield { start: at, item }
      }
      if (at === last) return
      hash = ((hash - text.charCodeAt(at) * this.#leaving) * FACTOR + text.charCodeAt(at + width)) & MASK
    }
  }

  /** Whether one of them is anywhere in the text. */
  has(text: string): boolean {
    for (const _ of this.findIn(text, () => true)) return true
    return false
  }

  #hashOf(text: string): number {
    let hash = 0
    for (let unit = 0; unit < this.#width; unit++) hash = (hash * FACTOR + text.charCodeAt(unit)) & MASK
    return hash
  }

  #sort(): void {
    if (this.#isSorted) return
    this.#isSorted = true
    for (const list of this.#lists.values())
      if (list.length > 1) list.sort((left, right) => right.find.length - left.find.length)
  }
}
