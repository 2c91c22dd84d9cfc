/** Results for calls that were left without one, put where they belong; later events and references to them move. */
import type { Dialect } from '../dialect/dialect.ts'
import type { SessionEvent } from '../event/session-event.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { missingResult } from './closers.ts'
import { type EventNames, type Mending, moved } from './event-edits.ts'
import type { MissingResult } from './missing-results.ts'
import { step } from './repair-step.ts'
import { SeqMap } from './seq-map.ts'

export interface InsertedResults extends Mending {
  /** The new events under their new seqs, rising. */
  readonly events: readonly SessionEvent[]
}

export function insertResults(missing: readonly MissingResult[], dialect: Dialect): InsertedResults {
  const map = SeqMap.opening(missing.map(({ before }) => before))
  const events = missing.map(({ call, before, time }, index) => {
    const { startedAt } = call
    const renamed = startedAt === undefined ? call : { ...call, startedAt: map.of(startedAt) as number }
    return missingResult(call.turn as JsonValue, renamed, before + index, time, dialect)
  })
  const finding = dialect.relations ? 'relation/call-unanswered' : 'pair/result-missing'
  const places = { finding, seqs: events.map(({ seq }) => seq) } as const
  return {
    events,
    steps: [step('insert-results', {}, places)],
    edits: { names: namesWith(missing, events, map), inserted: events as unknown as readonly JsonObject[] },
  }
}

/** What takes the node before a result off the surface has to cite the result, and shadow it, too. */
function namesWith(
  missing: readonly MissingResult[],
  events: readonly SessionEvent[],
  map: SeqMap,
): EventNames {
  const followers = new Map<number, number[]>()
  const rangeEnds = new Map<number, { end: number; with: number }>()
  for (const [index, { afterNode, shadowed }] of missing.entries()) {
    if (shadowed === undefined) continue
    const { seq } = events[index] as SessionEvent
    const known = followers.get(afterNode)
    if (known === undefined) followers.set(afterNode, [seq])
    else known.push(seq)
    if (shadowed === 'at-the-end') rangeEnds.set(afterNode, { end: seq, with: afterNode })
  }
  return { ...moved(map), followers, rangeEnds }
}
