/** What is taken out of a log together: whole turns, whole steps, rows that share an id, brackets, single rows. */
import { isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { type Row, valueIn } from './row.ts'

/** Rows that stay or go as one; rows of no unit stay. The header is in none. */
export type Unit = readonly Row[]

/** From the coarse to the fine. */
export const GRAINS: readonly ((rows: readonly Row[]) => readonly Unit[])[] = [
  (rows) => spans(rows, 'turn'),
  (rows) => spans(rows, 'step'),
  related,
  (rows) => [...brackets(rows, 'turn'), ...brackets(rows, 'step')],
  (rows) => rows.slice(1).map((row) => [row]),
]

function spans(rows: readonly Row[], what: 'turn' | 'step'): readonly Unit[] {
  const units: Row[][] = []
  let open: Row[] | undefined
  for (const row of rows.slice(1)) {
    if (row.type === `${what}/start`) {
      open = []
      units.push(open)
    }
    open?.push(row)
    if (row.type === `${what}/end`) open = undefined
  }
  return units
}

/** The two ends of a turn or step, without what is in it. */
function brackets(rows: readonly Row[], what: 'turn' | 'step'): readonly Unit[] {
  return spans(rows, what).flatMap((unit) => {
    const [start, end] = [unit[0] as Row, unit.at(-1) as Row]
    return end.type === `${what}/end` ? [[start, end]] : []
  })
}

/** A call and its result, the events of one compaction: whatever names the same thing by an id, however indirectly. */
function related(rows: readonly Row[]): readonly Unit[] {
  const groups = new Groups(rows.length)
  const firstWith = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    if (index === 0) continue
    for (const id of idsIn(valueIn(row))) {
      const first = firstWith.get(id)
      if (first === undefined) firstWith.set(id, index)
      else groups.join(first, index)
    }
  }
  return groups.lists().flatMap((list) => (list.length > 1 ? [list.map((index) => rows[index] as Row)] : []))
}

/** Numbers that belong together, by pairs. */
class Groups {
  readonly #parents: number[]

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, index) => index)
  }

  join(one: number, other: number): void {
    this.#parents[this.#rootOf(other)] = this.#rootOf(one)
  }

  /** Each rising, in the order of their first members. */
  lists(): readonly (readonly number[])[] {
    const lists = new Map<number, number[]>()
    for (const member of this.#parents.keys()) {
      const root = this.#rootOf(member)
      const list = lists.get(root)
      if (list === undefined) lists.set(root, [member])
      else list.push(member)
    }
    return [...lists.values()]
  }

  #rootOf(member: number): number {
    let root = member
    for (let next = this.#parents[root] as number; next !== root; next = this.#parents[root] as number) {
      this.#parents[root] = this.#parents[next] as number
      root = next
    }
    return root
  }
}

const ID_NAME = /(?:^id|Id)$/
const MOST_DEPTH = 8

function idsIn(value: JsonValue | undefined, depth = 0, found = new Set<string>()): ReadonlySet<string> {
  if (depth > MOST_DEPTH) return found
  if (Array.isArray(value)) for (const item of value) idsIn(item, depth + 1, found)
  else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && ID_NAME.test(name)) found.add(member)
      else idsIn(member, depth + 1, found)
    }
  }
  return found
}
