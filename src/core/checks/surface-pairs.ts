/**
 * What a provider would get: on the surface as it stands at the end, every tool call must be followed by its
 * results before any other message comes, and every result must have its call before it. Calls of the open turn may
 * still wait; DSH closes them on resume.
 */
import type { Origin } from '../event/origin.ts'
import { advertisedCalls, answeredCallId } from '../event/session-event.ts'
import type { Finding, FindingSink } from '../findings/finding.ts'
import type { Reducer } from '../replay/reducer.ts'

interface Node {
  readonly origin: Origin
  /** Ids of the calls an assistant message advertises. */
  readonly calls?: readonly string[]
  /** Id of the call a tool result answers. */
  readonly answers?: string
}

/** A call that has no result yet, while the surface is walked. */
interface Waiting {
  readonly callId: string
  readonly callAt: number
  /** The first later message that is not a result. */
  interruptedAt?: number
}

/** @param causeOf - the finding of the log itself that explains why this call or result stands alone. */
export function surfacePairChecks(
  report: FindingSink,
  causeOf: (seq: number, callId: string) => Finding | undefined,
): Reducer<void> {
  const nodes = new Map<number, Node>()
  /** Call ids whose other half was refused by a surface rule. */
  const refused = new Map<string, Finding>()
  /** Replacement that took one half of a pair off the surface, per call id. */
  const takenBy = new Map<string, number>()

  return {
    on({ event, origin, effect, refusal }) {
      if (refusal !== undefined) {
        const halves = [answeredCallId(event), ...advertisedCalls(event).map((call) => call.id)]
        for (const callId of halves) if (callId !== undefined) refused.set(callId, refusal)
      }
      if (effect.kind === 'log-only') return
      for (const seq of effect.kind === 'replace' ? effect.replacement.shadowed : []) {
        const node = nodes.get(seq)
        for (const callId of [node?.answers, ...(node?.calls ?? [])]) {
          if (callId !== undefined) takenBy.set(callId, event.seq)
        }
        nodes.delete(seq)
      }
      const answers = answeredCallId(event)
      const calls = advertisedCalls(event).map((call) => call.id)
      nodes.set(event.seq, {
        origin,
        ...(answers !== undefined && { answers }),
        ...(calls.length > 0 && { calls }),
      })
    },
    finish({ surface, cursor }) {
      const waiting = new Map<string, Waiting>()
      /** Calls whose id was announced again before a result came: the next result is not theirs. */
      const outlived: Waiting[] = []
      /** Calls announced last: the only ones that the next foreign message can come between. */
      let fresh: Waiting[] = []
      for (const seq of surface.nodes) {
        const node = nodes.get(seq)
        if (node === undefined) continue
        if (node.answers !== undefined) {
          judgeResult(seq, node, node.answers, waiting.get(node.answers))
          waiting.delete(node.answers)
          continue
        }
        for (const call of fresh) call.interruptedAt = seq
        fresh = (node.calls ?? []).map((callId) => ({ callId, callAt: seq }))
        for (const call of fresh) {
          const earlier = waiting.get(call.callId)
          if (earlier !== undefined) outlived.push(earlier)
          waiting.set(call.callId, call)
        }
      }
      for (const { callId, callAt: seq } of [...outlived, ...waiting.values()]) {
        if (cursor.pending.get(callId)?.advertisedAt === seq) continue
        const cause = causeOf(seq, callId) ?? refused.get(callId)
        const origin = nodes.get(seq)?.origin ?? {}
        report({
          code: 'pair/surface-call-alone',
          origin,
          seq,
          args: { callId, takenBy: takenBy.get(callId) ?? null },
          ...(cause && { causedBy: cause }),
        })
      }
    },
  }

  function judgeResult(seq: number, node: Node, callId: string, call: Waiting | undefined): void {
    if (call === undefined) {
      const cause = causeOf(seq, callId) ?? refused.get(callId)
      const args = { callId, takenBy: takenBy.get(callId) ?? null }
      report({
        code: 'pair/surface-result-alone',
        origin: node.origin,
        seq,
        args,
        ...(cause && { causedBy: cause }),
      })
      return
    }
    const { callAt, interruptedAt } = call
    if (interruptedAt === undefined) return
    const origin = nodes.get(interruptedAt)?.origin ?? {}
    const related = [callAt, seq]
    report({
      code: 'pair/surface-interrupted',
      origin,
      seq: interruptedAt,
      args: { callId, callAt },
      related,
    })
  }
}
