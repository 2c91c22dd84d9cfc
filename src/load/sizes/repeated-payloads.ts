/** Texts that a log holds more than once: by their hashes, because they may be most of a log. */
import { createHash } from 'node:crypto'
import { HashIds } from '../../core/diff/hash-ids.ts'
import { NumberList } from '../../core/event/number-list.ts'
import { isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import type { LogSizes } from '../../core/projections/log-sizes.ts'
import { Largest } from './largest.ts'

/** Shorter texts cost about what their event costs. In UTF-16 units. */
const SHORTEST = 100
const MOST_SHOWN = 50

type Repeated = LogSizes['repeated']

export class RepeatedPayloads {
  readonly #ids = new HashIds()
  readonly #firsts = NumberList.large()
  readonly #sizes = NumberList.small()
  readonly #types = NumberList.small()
  readonly #typeIds = new Map<string, number>()
  /** How often, of those that are there again. */
  readonly #counts = new Map<number, number>()

  /** Takes every text of a value, at any depth. */
  take(value: JsonValue, type: string, seq: number): void {
    const open: JsonValue[] = [value]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (typeof next === 'string') this.#text(next, type, seq)
      else if (Array.isArray(next)) for (const item of next) open.push(item)
      else if (isJsonObject(next)) for (const member of Object.values(next)) open.push(member as JsonValue)
    }
  }

  sizes(): Repeated {
    const [firsts, sizes, types] = [this.#firsts.values(), this.#sizes.values(), this.#types.values()]
    const names = [...this.#typeIds.keys()]
    const largest = new Largest<Repeated['largest'][number]>(
      MOST_SHOWN,
      ({ count, bytes }) => (count - 1) * bytes,
    )
    let bytes = 0
    for (const [id, count] of this.#counts) {
      const size = sizes[id] as number
      bytes += (count - 1) * size
      largest.add({
        seq: firsts[id] as number,
        type: names[types[id] as number] as string,
        count,
        bytes: size,
      })
    }
    return { count: this.#counts.size, bytes, largest: largest.items() }
  }

  #text(text: string, type: string, seq: number): void {
    if (text.length < SHORTEST) return
    const known = this.#ids.count
    const id = this.#ids.idOf(createHash('sha256').update(text).digest('binary'))
    if (id < known) {
      this.#counts.set(id, (this.#counts.get(id) ?? 1) + 1)
      return
    }
    this.#firsts.push(seq)
    this.#sizes.push(Buffer.byteLength(text))
    this.#types.push(this.#idOf(type))
  }

  #idOf(type: string): number {
    const known = this.#typeIds.get(type)
    if (known !== undefined) return known
    this.#typeIds.set(type, this.#typeIds.size)
    return this.#typeIds.size - 1
  }
}
