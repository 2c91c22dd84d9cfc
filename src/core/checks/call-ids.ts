/**
 * Ids of tool calls that come back once their call is over. Some providers count them anew in every turn or request,
 * so this is a note and no fault: anyone who pairs calls and results by id alone gets such a log wrong.
 */
import { NumberColumn } from '../event/number-column.ts'
import { advertisedCalls } from '../event/session-event.ts'
import type { FindingSink } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import { TextNumbers } from '../replay/key-numbers.ts'
import type { Reducer } from '../replay/reducer.ts'

/** Ids that are remembered; a log that reuses any does so among its first calls. */
const MOST_REMEMBERED = 100_000

interface Reuse {
  readonly origin: Origin
  readonly seq: number
  readonly callId: string
  readonly firstAt: number
  times: number
}

export function callIdChecks(report: FindingSink): Reducer<void> {
  const ids = new TextNumbers()
  /** Of every id, where it was announced last. */
  const announcedAt = new NumberColumn()
  /** The first reuse of each kind, and how many there are. */
  const reuses = new Map<string, Reuse>()
  let turnStart = 0
  return {
    types: new Set(['turn/start', 'assistant/message']),
    onDeltas: ignoreDeltas,
    on({ event, origin, effect, change }) {
      if (event.type === 'turn/start') turnStart = event.seq
      // A replacement shows a call again; it does not make one.
      if (effect.kind !== 'append') return
      for (const { id: callId } of advertisedCalls(event)) {
        if (callId === '' || change.readvertised.some((call) => call.callId === callId)) continue
        const known = ids.find(callId)
        const firstAt = known === -1 ? undefined : announcedAt.at(known)
        if (firstAt !== undefined && firstAt !== event.seq) {
          const scope = firstAt < turnStart ? 'a later turn' : 'the same turn'
          const reuse = reuses.get(scope) ?? { origin, seq: event.seq, callId, firstAt, times: 0 }
          reuse.times++
          reuses.set(scope, reuse)
        }
        if (known !== -1) announcedAt.set(known, event.seq)
        else if (ids.size < MOST_REMEMBERED) {
          ids.add(callId)
          announcedAt.push(event.seq)
        }
      }
    },
    finish() {
      for (const [scope, { origin, seq, callId, firstAt, times }] of reuses) {
        const args = { callId, firstAt, scope, times }
        report({ code: 'pair/id-reused', origin, seq, args, related: [firstAt] })
      }
    },
  }
}
