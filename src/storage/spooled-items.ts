/** JSON values of which little is held: `SpooledTexts` of what they are written as, and the few that are long. */
import type { Items } from '../core/json/items.ts'
import { stringifyJson } from '../core/json/stringify-json.ts'
import { SpooledTexts } from './spooled-texts.ts'

/** To write a longer one down and to read it again takes more than to hold it, */
const LONG = 1024 * 1024
/** as long as there are few of them. */
const MOST_WHOLE = 32 * 1024 * 1024

export class SpooledItems<Item extends object> implements Items<Item> {
  readonly #written: (item: Item) => string
  readonly #texts = new SpooledTexts()
  /** By number, those that are held as they are. */
  readonly #whole = new Map<number, Item>()
  #wholeUnits = 0

  /** @param written - JSON of an item. */
  constructor(written: (item: Item) => string = stringifyJson) {
    this.#written = written
  }

  get length(): number {
    return this.#texts.length
  }

  push(item: Item, units: number): void {
    const isHeld = units > LONG && this.#wholeUnits < MOST_WHOLE
    if (isHeld) {
      this.#whole.set(this.length, item)
      this.#wholeUnits += units
    }
    this.#texts.push(isHeld ? '' : this.#written(item))
  }

  at(index: number): Item {
    return this.#whole.get(index) ?? JSON.parse(this.#texts.at(index))
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let index = 0; index < this.length; index++) yield this.at(index)
  }
}
