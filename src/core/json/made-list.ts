/** A list whose items are made whenever it is read: of a long one little is held, and it can be printed twice. */
export interface MadeList<Item> extends Iterable<Item> {
  readonly length: number
  at(index: number): Item | undefined
}

/** @param parts - what is kept of the items. */
export function madeList<Part, Item>(parts: readonly Part[], itemOf: (part: Part) => Item): MadeList<Item> {
  return {
    length: parts.length,
    at(index) {
      const part = parts.at(index)
      return part === undefined ? undefined : itemOf(part)
    },
    *[Symbol.iterator]() {
      for (const part of parts) yield itemOf(part)
    },
  }
}
