/** A list of JSON values that grows, and is asked for one by one. */
export interface Items<Item> {
  readonly length: number
  /** @param units - about how long the item is. */
  push(item: Item, units: number): void
  /** @param index - of an item that was pushed. */
  at(index: number): Item
}
