import { TextNumbers } from '../replay/key-numbers.ts'

const KEPT = 16

/**
 * Hashes as small numbers: the first hash is 0, the next other one 1. So lists of records can be compared as lists of
 * numbers.
 */
export class HashIds {
  readonly #hashes = new TextNumbers()

  /** Number of different hashes. */
  get count(): number {
    return this.#hashes.size
  }

  /** @param hash - bytes of a cryptographic hash as characters from 0 to 255, of which the first 16 count. */
  idOf(hash: string): number {
    const kept = hash.slice(0, KEPT)
    const id = this.#hashes.find(kept)
    return id === -1 ? this.#hashes.add(kept) : id
  }
}
