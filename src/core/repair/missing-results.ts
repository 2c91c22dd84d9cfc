/**
 * Calls that were left without a result when their step or turn closed: where in the log the result belongs that says
 * so. It stands behind the call and before whatever the model saw next, so every half has its other half. What later
 * took the call off the surface has to take the result with it.
 */
import type { SessionEvent } from '../event/session-event.ts'
import type { Reducer } from '../replay/reducer.ts'
import type { CursorChange, PendingCall } from '../replay/turn-cursor.ts'

export interface MissingResult extends Place {
  readonly call: PendingCall
}

interface Place {
  /** Seq of the event that the result has to come before. */
  readonly before: number
  /** Time of the event that it comes behind. */
  readonly time: number
  /** Node that the surface ended with at that place. */
  readonly behindNode: number
}

/** The results in log order; those before one event in the order their calls were announced. */
export function missingResults(): Reducer<readonly MissingResult[]> {
  const found: MissingResult[] = []
  /** Where the results of calls belong whose step went on with another message. */
  const places = new Map<PendingCall, Place>()
  let last: Pick<SessionEvent, 'seq' | 'time'> = { seq: -1, time: 0 }

  return {
    onDeltas({ first, count, lastTime }) {
      last = { seq: first + count - 1, time: lastTime }
    },
    on({ event, change, cursor, effect, surface }) {
      const isForeign = effect.kind === 'append' && event.type !== 'tool/result'
      const node = surface.at(isForeign ? -2 : -1) ?? -1
      const here: Place = { before: event.seq, time: last.time, behindNode: node }
      for (const call of lostBy(event.seq, change, effect.kind === 'append')) {
        if (!call.copy) found.push({ call, ...placeOf(call, here) })
        places.delete(call)
      }
      if (isForeign) {
        for (const call of cursor.pending.values()) {
          if (call.advertisedAt !== event.seq && !places.has(call)) places.set(call, here)
        }
      }
      last = event
    },
    finish({ cursor, surface }) {
      // Announced outside of any turn: no closer will come for them.
      const behind: Place = { before: last.seq + 1, time: last.time, behindNode: surface.at(-1) ?? -1 }
      const left = cursor.turn === undefined ? [...cursor.pending.values()] : []
      for (const call of left) if (!call.copy) found.push({ call, ...placeOf(call, behind) })
      return found.toSorted((a, b) => a.before - b.before)
    },
  }

  function placeOf(call: PendingCall, closing: Place): Place {
    const place = places.get(call)
    // A call that was only started behind the other message cannot have a result before it.
    if (place === undefined || (call.startedAt ?? -1) >= place.before) return closing
    return place
  }
}

/** Calls that get no result any more. The next result of an id is for the answer that announced it last. */
function lostBy(seq: number, change: CursorChange, isNew: boolean): readonly PendingCall[] {
  const { abandoned, readvertised } = change
  const taken = isNew ? readvertised.filter(({ advertisedAt }) => advertisedAt !== seq) : []
  return taken.length === 0 ? abandoned : [...abandoned, ...taken]
}
