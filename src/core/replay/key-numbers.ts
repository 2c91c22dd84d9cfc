/**
 * Keys of a log, numbered from 0 in the order in which they are added. A log has a million ids: they are kept as bytes in
 * one array, not as strings, and found by a hash table of their numbers.
 */
import { NumberColumn } from '../event/number-column.ts'
import { TextList } from '../event/text-list.ts'

/** Numbers of keys of one kind. */
export interface KeyNumbers<Key> {
  readonly size: number
  /** The number of a key; -1 for one that was not added. */
  find(key: Key): number
  /** Adds a key that is not there. @returns its number. */
  add(key: Key): number
}

const EMPTY = -1
const FIRST_SLOTS = 64

/** Slots with numbers, at most three of four taken; where a key belongs, its hash says. */
class Slots {
  #numbers = new Int32Array(FIRST_SLOTS).fill(EMPTY)
  readonly #hashes = new NumberColumn(0)

  get size(): number {
    return this.#hashes.length
  }

  /** @param isSame - whether the key with this number is the one that is looked for. */
  find(hash: number, isSame: (number: number) => boolean): number {
    const numbers = this.#numbers
    const last = numbers.length - 1
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const number = numbers[slot] as number
      if (number === EMPTY || (this.#hashes.at(number) === hash && isSame(number))) return number
    }
  }

  add(hash: number): number {
    const number = this.#hashes.length
    this.#hashes.push(hash)
    if (4 * this.#hashes.length > 3 * this.#numbers.length) this.#grow()
    else this.#put(hash, number)
    return number
  }

  #put(hash: number, number: number): void {
    const last = this.#numbers.length - 1
    let slot = hash & last
    while (this.#numbers[slot] !== EMPTY) slot = (slot + 1) & last
    this.#numbers[slot] = number
  }

  #grow(): void {
    this.#numbers = new Int32Array(2 * this.#numbers.length).fill(EMPTY)
    for (let number = 0; number < this.#hashes.length; number++) this.#put(this.#hashes.at(number), number)
  }
}

/** Numbers of whole numbers of 32 bits. */
export class IntNumbers implements KeyNumbers<number> {
  readonly #slots = new Slots()

  get size(): number {
    return this.#slots.size
  }

  find(key: number): number {
    // No two keys have the same hash.
    return this.#slots.find(mixed(key), () => true)
  }

  add(key: number): number {
    return this.#slots.add(mixed(key))
  }
}

/** Numbers of texts. */
export class TextNumbers implements KeyNumbers<string> {
  readonly #slots = new Slots()
  readonly #texts = new TextList()

  get size(): number {
    return this.#texts.length
  }

  /** A text is looked for before it is added. */
  #lastText = ''
  #lastHash = hashOf('')

  find(text: string): number {
    return this.#slots.find(this.#hashOf(text), (number) => this.#texts.is(number, text))
  }

  add(text: string): number {
    this.#texts.push(text)
    return this.#slots.add(this.#hashOf(text))
  }

  #hashOf(text: string): number {
    if (text !== this.#lastText) {
      this.#lastHash = hashOf(text)
      this.#lastText = text
    }
    return this.#lastHash
  }

  /** The text with a number that was given. */
  textOf(number: number): string {
    return this.#texts.at(number)
  }
}

function hashOf(text: string): number {
  let hash = text.length
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return mixed(hash)
}

/** Spreads what differs in few bits, and keeps apart what differs. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return half ^ (half >>> 15)
}
