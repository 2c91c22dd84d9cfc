/**
 * What a provider would get: on the surface as it stands at the end, every tool call must be followed by its
 * results before any other message comes, and every result must have its call before it. Calls of the open turn may
 * still wait; DSH closes them on resume. What was broken in between and mended again `pair-links.ts` reports.
 */
import { advertisedCalls, answeredCallId } from '../event/session-event.ts'
import type { Finding, FindingSink } from '../findings/finding.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import type { TurnCursor } from '../replay/turn-cursor.ts'
import { PairLinks } from './pair-links.ts'
import type { PairChecks } from './pairs.ts'

/** Refused halves that are remembered; a log with more of them has worse troubles. */
const MOST_REMEMBERED = 10_000

/** A call that has no result yet, while the surface is walked. */
interface Waiting {
  readonly callId: string
  readonly callAt: number
  /** Results that are still to come: a message may announce an id more than once. */
  missing: number
  /** The first later message that is not a result. */
  interruptedAt?: number
}

export function surfacePairChecks(report: FindingSink, causeOf: PairChecks['causeOf']): Reducer<void> {
  const links = new PairLinks(report)
  /** Call ids whose other half was refused by a surface rule. */
  const refused = new Map<string, Finding>()

  return {
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
      const waiting = new Map<string, Waiting>()
      /** Calls announced last: the only ones that the next foreign message can come between. */
      let fresh: Waiting[] = []
      for (const seq of surface.nodes) {
        const { answers, announces = [] } = links.node(seq) ?? {}
        if (answers !== undefined) {
          const call = waiting.get(answers)
          judgeResult(seq, answers, call)
          if (call !== undefined && --call.missing === 0) waiting.delete(answers)
          continue
        }
        for (const call of fresh) call.interruptedAt = seq
        fresh = []
        for (const callId of announces) {
          const earlier = waiting.get(callId)
          if (earlier?.callAt === seq) {
            earlier.missing++
            continue
          }
          // The id comes back in a later message: no result can reach the earlier call any more.
          if (earlier !== undefined) judgeCall(earlier, cursor)
          const call: Waiting = { callId, callAt: seq, missing: 1 }
          fresh.push(call)
          waiting.set(callId, call)
        }
      }
      for (const call of waiting.values()) judgeCall(call, cursor)
    },
  }

  function judgeCall({ callId, callAt }: Waiting, cursor: TurnCursor): void {
    if (cursor.pending.get(callId)?.advertisedAt === callAt) return
    alone('pair/surface-call-alone', callAt, callId)
  }

  function judgeResult(seq: number, callId: string, call: Waiting | undefined): void {
    if (call === undefined) {
      alone('pair/surface-result-alone', seq, callId)
      return
    }
    const { callAt, interruptedAt } = call
    if (interruptedAt === undefined) return
    const origin = links.node(interruptedAt)?.origin ?? {}
    const related = [callAt, seq]
    report({
      code: 'pair/surface-interrupted',
      origin,
      seq: interruptedAt,
      args: { callId, callAt },
      related,
    })
  }

  function alone(
    code: 'pair/surface-call-alone' | 'pair/surface-result-alone',
    seq: number,
    callId: string,
  ): void {
    // An empty id is a fault of its own, and pairs nothing.
    if (callId === '') return
    const takenBy = links.takenBy(seq, callId)
    const cause = causeOf(seq, callId) ?? refused.get(callId)
    report({
      code,
      origin: links.node(seq)?.origin ?? {},
      seq,
      args: { callId, takenBy: takenBy ?? null },
      ...(takenBy !== undefined && { related: [takenBy] }),
      ...(cause && { causedBy: cause }),
    })
  }
}
