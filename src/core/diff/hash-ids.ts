/**
 * Hashes as small numbers: the first hash is 0, the next other one 1. Millions of them take four words each and no object,
 * so that lists of records can be compared as lists of numbers.
 */
const WORDS = 4
const FREE = -1

export class HashIds {
  /** Number of different hashes. */
  count = 0
  #words = new Uint32Array(1024 * WORDS)
  /** Open addressing: the id that lies in a slot. */
  #slots = new Int32Array(4096).fill(FREE)

  /** @param hash - bytes of a cryptographic hash as characters from 0 to 255, of which the first 16 count. */
  idOf(hash: string): number {
    const mask = this.#slots.length - 1
    let slot = wordOf(hash, 0) & mask
    for (;;) {
      const id = this.#slots[slot] as number
      if (id === FREE) return this.#add(hash, slot)
      if (this.#is(id, hash)) return id
      slot = (slot + 1) & mask
    }
  }

  #add(hash: string, slot: number): number {
    const id = this.count++
    if (this.count * WORDS > this.#words.length) {
      const more = new Uint32Array(this.#words.length * 2)
      more.set(this.#words)
      this.#words = more
    }
    for (let word = 0; word < WORDS; word++) this.#words[id * WORDS + word] = wordOf(hash, word)
    this.#slots[slot] = id
    if (this.count * 2 > this.#slots.length) this.#spread()
    return id
  }

  #is(id: number, hash: string): boolean {
    for (let word = 0; word < WORDS; word++)
      if (this.#words[id * WORDS + word] !== wordOf(hash, word)) return false
    return true
  }

  #spread(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(FREE)
    const mask = slots.length - 1
    for (let id = 0; id < this.count; id++) {
      let slot = (this.#words[id * WORDS] as number) & mask
      while (slots[slot] !== FREE) slot = (slot + 1) & mask
      slots[slot] = id
    }
    this.#slots = slots
  }
}

function wordOf(hash: string, word: number): number {
  const at = 4 * word
  const high = (hash.charCodeAt(at) << 24) | (hash.charCodeAt(at + 1) << 16)
  return (high | (hash.charCodeAt(at + 2) << 8) | hash.charCodeAt(at + 3)) >>> 0
}
