/** Current, shadowed or log-only, for every event (format.md §8.4). Known only after the last event. */
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
  const firsts: number[] = []
  /** Length of a run. */
  const counts: number[] = []
  const typeOf: number[] = []
  const turnOf: number[] = []
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
      add(event.seq, ALONE, event.type, cursor.openTurn ?? before.openTurn ?? NO_TURN)
      if (effect.kind === 'replace') {
        for (const seq of effect.replacement.shadowed) replacedBy.set(seq, event.seq)
      }
    },
    finish({ surface }) {
      const nodes = new Set(surface.nodes)
      const shadowed = replacedBy.size

      function classified(seq: number, type: string): ClassifiedEvent {
        if (nodes.has(seq)) return { seq, type, class: 'current' }
        const by = replacedBy.get(seq)
        return by === undefined
          ? { seq, type, class: 'log-only' }
          : { seq, type, class: 'shadowed', replacedBy: by }
      }

      return {
        counts: { current: nodes.size, shadowed, logOnly: total - nodes.size - shadowed },
        *events() {
          for (const [row, first] of firsts.entries()) {
            const type = types[typeOf[row] as number] as string
            const turn = turnOf[row] as number
            const count = counts[row] as number
            for (let seq = first; seq < first + count; seq++) yield { seq, type, class: 'log-only', turn }
            if (count !== ALONE) continue
            yield turn === NO_TURN ? classified(first, type) : { ...classified(first, type), turn }
          }
        },
      }
    },
  }
}

const NO_TURN = -1
const ALONE = 0
