/** Where nodes are stored, by seq: a few bytes for each member of an origin. */
import { NONE, NumberColumn } from '../event/number-column.ts'
import { SeqIndex } from '../event/seq-index.ts'
import type { Origin } from '../findings/origin.ts'

const MEMBERS = ['line', 'byteOffset', 'byteLength', 'frame', 'row', 'member'] as const

export class NodeOrigins {
  readonly #rows = new SeqIndex()
  #count = 0
  readonly #columns = MEMBERS.map((member) => ({ member, values: new NumberColumn() }))

  set(seq: number, origin: Origin): void {
    this.#rows.set(seq, this.#count++)
    for (const { member, values } of this.#columns) values.push(origin[member] ?? NONE)
  }

  get(seq: number): Origin | undefined {
    const row = this.#rows.get(seq)
    if (row === undefined) return undefined
    const known = this.#columns.filter(({ values }) => values.at(row) !== NONE)
    return Object.fromEntries(known.map(({ member, values }) => [member, values.at(row)]))
  }
}
