/** Current, shadowed or log-only, for every event (format.md §8.4). Known only after the last event. */
import { QUIET_TYPE } from '../replay/quiet-run.ts'
import type { Reducer } from '../replay/reducer.ts'

export type EventClass = 'current' | 'shadowed' | 'log-only'

export interface ClassifiedEvent {
  readonly seq: number
  readonly type: string
  readonly class: EventClass
  /** Seq of the replacement that removed a shadowed event. */
  readonly replacedBy?: number
  /** Turn that was open at the event. */
  readonly turn?: number
}

export interface Classification {
  readonly counts: { readonly current: number; readonly shadowed: number; readonly logOnly: number }
  /** In log order; made while it is read, because a log may hold millions. */
  events(): Iterable<ClassifiedEvent>
}

export function classification(): Reducer<Classification> {
  const types: string[] = []
  const typeIds = new Map<string, number>()
  const seqs: number[] = []
  const typeOf: number[] = []
  const turnOf: number[] = []
  const replacedBy = new Map<number, number>()

  function idOf(type: string): number {
    const known = typeIds.get(type)
    if (known !== undefined) return known
    const id = types.push(type) - 1
    typeIds.set(type, id)
    return id
  }

  return {
    skim({ first, count, turn }) {
      const id = idOf(QUIET_TYPE)
      for (let seq = first; seq < first + count; seq++) {
        seqs.push(seq)
        typeOf.push(id)
        turnOf.push(turn)
      }
    },
    on({ event, effect, cursor, before }) {
      seqs.push(event.seq)
      typeOf.push(idOf(event.type))
      turnOf.push(cursor.openTurn ?? before.openTurn ?? -1)
      if (effect.kind === 'replace') {
        for (const seq of effect.replacement.shadowed) replacedBy.set(seq, event.seq)
      }
    },
    finish({ surface }) {
      const nodes = new Set(surface.nodes)
      const shadowed = replacedBy.size
      return {
        counts: { current: nodes.size, shadowed, logOnly: seqs.length - nodes.size - shadowed },
        *events() {
          for (const [index, seq] of seqs.entries()) {
            const type = types[typeOf[index] as number] as string
            const by = replacedBy.get(seq)
            const turn = turnOf[index] as number
            yield {
              seq,
              type,
              class: nodes.has(seq) ? 'current' : by === undefined ? 'log-only' : 'shadowed',
              ...(by !== undefined && { replacedBy: by }),
              ...(turn !== -1 && { turn }),
            }
          }
        },
      }
    },
  }
}
