/**
 * Calls that were left without a result when their step or turn closed: where in the log the result belongs that says
 * so. It comes after the call and before whatever the model saw next, so every half has its other half. What later
 * took the call off the surface has to take the result with it.
 */
import type { SessionEvent } from '../event/session-event.ts'
import type { Reducer } from '../replay/reducer.ts'
import type { CursorChange, PendingCall } from '../replay/turn-cursor.ts'
import type { Replacement, SessionSurface } from '../surface/session-surface.ts'
import type { Place } from './gaps.ts'

export interface MissingResult extends Place {
  readonly call: PendingCall
  /**
   * Node of the surface that the result comes directly after: the last one at its place, and the message that replaced
   * it where the result stays.
   */
  readonly afterNode: number
  /** How the node takes the result with it when it is replaced; absent when it is not, or the result stays. */
  readonly shadowed?: 'inside' | 'at-the-end'
}

type Placed = { -readonly [Key in keyof MissingResult]: MissingResult[Key] }

/** The results in log order; those before one event in the order their calls were announced. */
export function missingResults(): Reducer<readonly MissingResult[]> {
  const found: Placed[] = []
  /** Where the results of calls belong whose step went on with another message. */
  const places = new Map<PendingCall, Placed>()
  /** Results on the surface, by the node that they come after. */
  const following = new Map<number, Placed[]>()
  let last: Pick<SessionEvent, 'seq' | 'time'> = { seq: -1, time: 0 }

  return {
    onDeltas({ first, count, lastTime }) {
      last = { seq: first + count - 1, time: lastTime }
    },
    on({ event, change, cursor, effect, surface }) {
      if (effect.kind === 'replace' && following.size > 0) follow(event, effect.replacement, surface)
      const isForeign = effect.kind === 'append' && event.type !== 'tool/result'
      const afterNode = surface.at(isForeign ? -2 : -1) ?? -1
      const here = { before: event.seq, time: last.time, afterNode }
      for (const call of lostBy(event.seq, change, effect.kind === 'append')) {
        if (!call.copy) found.push(placeOf(call) ?? put({ call, ...here }))
        places.delete(call)
      }
      if (isForeign) {
        for (const call of cursor.pending.values()) {
          if (call.advertisedAt !== event.seq && !places.has(call)) places.set(call, put({ call, ...here }))
        }
      }
      last = event
    },
    finish({ cursor, surface }) {
      // Announced outside of any turn: no closer will come for them.
      const atEnd = { before: last.seq + 1, time: last.time, afterNode: surface.at(-1) ?? -1 }
      const left = cursor.turn === undefined ? [...cursor.pending.values()] : []
      for (const call of left) if (!call.copy) found.push(placeOf(call) ?? { call, ...atEnd })
      return found.toSorted((a, b) => a.before - b.before)
    },
  }

  function placeOf(call: PendingCall): Placed | undefined {
    const place = places.get(call)
    // A call that was only started after the other message cannot have a result before it.
    return place === undefined || (call.startedAt ?? -1) >= place.before ? undefined : place
  }

  function put(result: Placed): Placed {
    const known = following.get(result.afterNode)
    if (known === undefined) following.set(result.afterNode, [result])
    else known.push(result)
    return result
  }

  /** A result after the last node of a range goes with it when its call is gone; a rewritten result takes nothing else. */
  function follow({ type }: SessionEvent, { seq, shadowed }: Replacement, surface: SessionSurface): void {
    for (const [index, node] of shadowed.entries()) {
      const isLast = index === shadowed.length - 1
      for (const result of following.get(node) ?? []) {
        if (!isLast) result.shadowed = 'inside'
        else if (type !== 'tool/result' && !surface.has(result.call.advertisedAt))
          result.shadowed = 'at-the-end'
        else {
          result.afterNode = seq
          put(result)
        }
      }
      following.delete(node)
    }
  }
}

/** Calls that get no result any more. The next result of an id is for the answer that announced it last. */
function lostBy(seq: number, change: CursorChange, isNew: boolean): readonly PendingCall[] {
  const { abandoned, readvertised } = change
  const taken = isNew ? readvertised.filter(({ advertisedAt }) => advertisedAt !== seq) : []
  return taken.length === 0 ? abandoned : [...abandoned, ...taken]
}
