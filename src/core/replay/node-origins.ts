/** Where nodes are stored, by seq: eight bytes for each member of an origin, and for which members it has. */
import { NumberColumn } from '../event/number-column.ts'
import { SeqIndex } from '../event/seq-map.ts'
import type { Origin } from '../findings/origin.ts'

const MEMBERS = ['line', 'byteOffset', 'byteLength', 'frame', 'row', 'member'] as const

export class NodeOrigins {
  /** Where each begins among the values. */
  readonly #starts = new SeqIndex()
  /** Of each a bit for every member that it has, and these members. */
  readonly #values = NumberColumn.large()

  set(seq: number, origin: Origin): void {
    const start = this.#values.length
    this.#starts.set(seq, start)
    this.#values.push(0)
    let bits = 0
    for (let index = 0; index < MEMBERS.length; index++) {
      const value = origin[MEMBERS[index] as (typeof MEMBERS)[number]]
      if (value === undefined) continue
      bits |= 1 << index
      this.#values.push(value)
    }
    this.#values.set(start, bits)
  }

  get(seq: number): Origin | undefined {
    const start = this.#starts.get(seq)
    if (start === undefined) return undefined
    const bits = this.#values.at(start)
    const members = MEMBERS.filter((_, index) => (bits & (1 << index)) !== 0)
    return Object.fromEntries(members.map((member, index) => [member, this.#values.at(start + 1 + index)]))
  }
}
