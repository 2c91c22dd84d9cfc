/**
 * Where nodes are stored, by seq: eight bytes for each member of an origin, as long as all of them have the members of
 * the first one, as they do in one container.
 */
import { NumberColumn } from '../event/number-column.ts'
import { SeqIndex } from '../event/seq-map.ts'
import type { Origin } from '../findings/origin.ts'

const MEMBERS = ['line', 'byteOffset', 'byteLength', 'frame', 'row', 'member'] as const

export class NodeOrigins {
  readonly #rows = new SeqIndex()
  /** The members of the first origin. */
  #members: readonly (typeof MEMBERS)[number][] = []
  readonly #values = NumberColumn.large()
  /** Origins with other members. */
  readonly #others = new Map<number, Origin>()
  #count = 0

  set(seq: number, origin: Origin): void {
    if (this.#count === 0) this.#members = MEMBERS.filter((member) => origin[member] !== undefined)
    if (!this.#fits(origin)) {
      this.#others.set(seq, origin)
      return
    }
    this.#others.delete(seq)
    this.#rows.set(seq, this.#count++)
    for (const member of this.#members) this.#values.push(origin[member] as number)
  }

  get(seq: number): Origin | undefined {
    const other = this.#others.get(seq)
    const row = this.#rows.get(seq)
    if (other !== undefined || row === undefined) return other
    const first = row * this.#members.length
    return Object.fromEntries(
      this.#members.map((member, index) => [member, this.#values.at(first + index)]),
    ) as Origin
  }

  #fits(origin: Origin): boolean {
    let members = 0
    for (const member of MEMBERS) if (origin[member] !== undefined) members++
    return members === this.#members.length && this.#members.every((member) => origin[member] !== undefined)
  }
}
