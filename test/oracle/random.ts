/** A small seeded generator of random numbers (mulberry32): the same seed gives the same logs on every machine. */

export class Random {
  #state: number

  /** @param seed - any text; different texts give unrelated sequences. */
  constructor(seed: string) {
    this.#state = hash(seed)
  }

  /** A whole number from `low` to `high`, both inclusive. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('nothing to pick from')
    return items[this.whole(0, items.length - 1)] as Item
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const rest = [...items]
    const out: Item[] = []
    while (rest.length > 0) out.push(...rest.splice(this.whole(0, rest.length - 1), 1))
    return out
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function hash(text: string): number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  }
  return state
}
