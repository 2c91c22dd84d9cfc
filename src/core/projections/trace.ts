/** Everything the log says about one event: what became of it, and what it is tied to (format.md §8.4). */
import { citedSeqs, type SessionEvent } from '../event/session-event.ts'
import type { Origin } from '../findings/origin.ts'
import type { Reducer } from '../replay/reducer.ts'
import type { EventClass } from './classification.ts'

/** What the log says about one event: its place, its class, what replaced it, what cites it. */
export interface EventTrace {
  readonly event: SessionEvent
  readonly origin: Origin
  readonly class: EventClass
  /** The replacement that removed the event. */
  readonly replacedBy?: number
  /** That replacement, the one that removed it in turn, and so on. */
  readonly chain: readonly number[]
  /** The nodes that the event itself removed. */
  readonly replaced: readonly number[]
  readonly sources: readonly number[]
  /** Later events that cite this one. */
  readonly derived: readonly number[]
}

/** Follows one event. Its result is `undefined` when the log has no event of this seq. */
export function eventTrace(target: number): Reducer<EventTrace | undefined> {
  const replacedBy = new Map<number, number>()
  const derived: number[] = []
  let found: { event: SessionEvent; origin: Origin; replaced: readonly number[] } | undefined
  return {
    on({ event, origin, effect }) {
      if (effect.kind === 'replace') {
        for (const seq of effect.replacement.shadowed) replacedBy.set(seq, event.seq)
      }
      if (event.seq === target) {
        found = { event, origin, replaced: effect.kind === 'replace' ? effect.replacement.shadowed : [] }
      } else if (found !== undefined && citedSeqs(event).includes(target)) derived.push(event.seq)
    },
    finish({ surface }) {
      if (found === undefined) return undefined
      const chain: number[] = []
      for (let by = replacedBy.get(target); by !== undefined; by = replacedBy.get(by)) chain.push(by)
      const [by] = chain
      const eventClass = surface.has(target) ? 'current' : by === undefined ? 'log-only' : 'shadowed'
      return {
        ...found,
        class: eventClass,
        ...(by !== undefined && { replacedBy: by }),
        chain,
        sources: citedSeqs(found.event),
        derived,
      }
    },
  }
}
