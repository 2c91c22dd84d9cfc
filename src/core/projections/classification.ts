/** Current, shadowed or log-only, for every event (format.md §8.4). Known only after the last event. */
import { NONE, NumberColumn } from '../event/number-column.ts'
import { DELTA_TYPE } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'

/** `current`: the model sees it; `shadowed`: a replacement took it away; `log-only`: it never was on the surface (format.md §8.4). */
export type EventClass = 'current' | 'shadowed' | 'log-only'

/** An event with its class. */
export interface ClassifiedEvent {
  readonly seq: number
  readonly type: string
  readonly class: EventClass
  /** Seq of the replacement that removed a shadowed event. */
  readonly replacedBy?: number
  /** Turn that was open at the event. */
  readonly turn?: number
}

/** The classes of all events of a log. */
export interface Classification {
  readonly counts: { readonly current: number; readonly shadowed: number; readonly logOnly: number }
  /** In log order; made while it is read, because a log may hold millions. */
  events(): Iterable<ClassifiedEvent>
}

/** Finds the class of every event. */
export function classification(): Reducer<Classification> {
  const types: string[] = []
  const typeIds = new Map<string, number>()
  /** A row for each event that came alone, and one for each run of deltas: a log may hold millions of these. */
  const firsts = new NumberColumn()
  /** Length of a run. */
  const counts = new NumberColumn()
  const typeOf = new NumberColumn()
  const turnOf = new NumberColumn()
  const replacedBy = new Map<number, number>()
  let total = 0

  function idOf(type: string): number {
    const known = typeIds.get(type)
    if (known !== undefined) return known
    const id = types.push(type) - 1
    typeIds.set(type, id)
    return id
  }

  function add(first: number, count: number, type: string, turn: number): void {
    firsts.push(first)
    counts.push(count)
    typeOf.push(idOf(type))
    turnOf.push(turn)
    total += Math.max(count, 1)
  }

  return {
    onDeltas({ first, count, turn }) {
      add(first, count, DELTA_TYPE, turn)
    },
    on({ event, effect, cursor, before }) {
      add(event.seq, ALONE, event.type, cursor.openTurn ?? before.openTurn ?? NONE)
      if (effect.kind === 'replace') {
        for (const seq of effect.replacement.shadowed) replacedBy.set(seq, event.seq)
      }
    },
    finish({ surface }) {
      const shadowed = replacedBy.size

      function classified(seq: number, type: string): ClassifiedEvent {
        if (surface.has(seq)) return { seq, type, class: 'current' }
        const by = replacedBy.get(seq)
        return by === undefined
          ? { seq, type, class: 'log-only' }
          : { seq, type, class: 'shadowed', replacedBy: by }
      }

      return {
        counts: { current: surface.length, shadowed, logOnly: total - surface.length - shadowed },
        *events() {
          for (let row = 0; row < firsts.length; row++) {
            const first = firsts.at(row)
            const type = types[typeOf.at(row)] as string
            const turn = turnOf.at(row)
            const count = counts.at(row)
            for (let seq = first; seq < first + count; seq++) yield { seq, type, class: 'log-only', turn }
            if (count !== ALONE) continue
            yield turn === NONE ? classified(first, type) : { ...classified(first, type), turn }
          }
        },
      }
    },
  }
}

const ALONE = 0
