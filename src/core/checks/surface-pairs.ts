/**
 * What a provider would get: on the surface as it is at the end, every tool call must be followed by its
 * results before any other message comes, and every result must have its call before it. Calls of the open turn may
 * still wait; DSH closes them on resume. What was broken in between and mended again `pair-links.ts` reports.
 */
import { advertisedCalls, answeredCallId } from '../event/session-event.ts'
import { SURFACE_TYPES } from '../event-types/vocabulary.ts'
import type { Finding, FindingSink } from '../findings/finding.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import { isPending, pairingsOn } from '../replay/exchanges.ts'
import type { Reducer } from '../replay/reducer.ts'
import { PairLinks } from './pair-links.ts'
import type { PairChecks } from './pairs.ts'

/** Refused halves that are remembered; a log with more of them has worse troubles. */
const MOST_REMEMBERED = 10_000

export function surfacePairChecks(report: FindingSink, causeOf: PairChecks['causeOf']): Reducer<void> {
  const links = new PairLinks(report)
  /** Call ids whose other half was refused by a surface rule. */
  const refused = new Map<string, Finding>()

  return {
    types: new Set([...SURFACE_TYPES, 'turn/start', 'turn/end']),
    onDeltas: ignoreDeltas,
    on(step) {
      const { event, refusal } = step
      if (refusal !== undefined) {
        const halves = [answeredCallId(event), ...advertisedCalls(event).map((call) => call.id)]
        for (const callId of halves)
          if (callId !== undefined && refused.size < MOST_REMEMBERED) refused.set(callId, refusal)
      }
      links.follow(step)
    },
    finish({ surface, cursor }) {
      for (const pairing of pairingsOn(surface.nodes, (seq) => links.half(seq))) {
        if (pairing.kind === 'message') continue
        const { call } = pairing
        if (pairing.kind === 'alone') {
          const { callId: id, callAt } = pairing.call
          const callId = links.callIdOf(id)
          if (!isPending({ callId, callAt }, cursor)) alone('pair/surface-call-alone', callAt, id)
        } else if (call === undefined) alone('pair/surface-result-alone', pairing.seq, pairing.callId)
        else if (call.interruptedAt !== undefined) {
          const { callAt, interruptedAt: seq } = call
          const origin = links.originOf(seq)
          const callId = links.callIdOf(call.callId)
          const related = [callAt, pairing.seq]
          report({ code: 'pair/surface-interrupted', origin, seq, args: { callId, callAt }, related })
        }
      }
    },
  }

  function alone(
    code: 'pair/surface-call-alone' | 'pair/surface-result-alone',
    seq: number,
    id: number,
  ): void {
    const callId = links.callIdOf(id)
    // An empty id is a fault of its own, and pairs nothing.
    if (callId === '') return
    const takenBy = links.takenBy(seq, id)
    const cause = causeOf(seq, callId) ?? refused.get(callId)
    report({
      code,
      origin: links.originOf(seq),
      seq,
      args: { callId, takenBy: takenBy ?? null },
      ...(takenBy !== undefined && { related: [takenBy] }),
      ...(cause && { causedBy: cause }),
    })
  }
}
