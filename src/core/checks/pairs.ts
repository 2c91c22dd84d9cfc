/**
 * Tool calls and their results, paired in log order and within their step, never by a set of ids: an id may come
 * back in a later turn. Readers of format 4 refuse what does not pair, at the event where they see it; before, nobody
 * looks, and the fault is at the half that has no other. What the model is shown after replacements is the business of
 * `surface-pairs.ts`.
 */
import { isOneText } from '../dialect/admission.ts'
import {
  advertisedCalls,
  answeredCallId,
  blocksOf,
  messageOf,
  type SessionEvent,
} from '../event/session-event.ts'
import {
  interruptedResultId,
  isForkedResultId,
  isInterruptedResultId,
  isNotStarted,
  NOT_STARTED,
} from '../event-types/closers.ts'
import { type Finding, type FindingSink, findingOf } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { MemberEdit } from '../json/member-edit.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { type PendingCall, textIn } from '../replay/turn-cursor.ts'
import { EarlyResults } from './early-results.ts'
import { raiseInto } from './raise.ts'

/** A flood of findings is counted; what follows from each of them is not distinguished any more. */
const MOST_REMEMBERED = 10_000

export interface PairChecks extends Reducer<void> {
  /** The finding that leaves the call or result of this event alone on the surface, if the log itself does. */
  readonly causeOf: (seq: number, callId: string) => Finding | undefined
}

export function pairChecks(sink: FindingSink): PairChecks {
  const lonely = new Map<string, Finding>()
  /** What a later replacement may take off the surface. */
  const broken: Finding[] = []
  /** Where the calls that still wait were announced, to point at them later. */
  const advertisedAt = new Map<number, Origin>()
  /** Results seen since the last turn boundary, to tell a second result from one without a call. */
  const answeredAt = new Map<string, number>()
  function report(finding: Finding): void {
    if (SHADOWED.has(finding.code) && broken.length < MOST_REMEMBERED) broken.push(finding)
    sink(finding)
  }

  const raise = raiseInto(report)
  const early = new EarlyResults((finding) => {
    remember(finding.seq, (finding.args as JsonObject).callId, finding)
    report(finding)
  })

  function remember(seq: number | undefined, callId: unknown, finding: Finding): void {
    if (lonely.size < MOST_REMEMBERED) lonely.set(`${seq} ${callId}`, finding)
  }

  function atCall<Code extends 'pair/result-missing' | 'pair/result-pending' | 'pair/unclosable'>(
    code: Code,
    call: PendingCall,
    more: Omit<EvidenceOf<Code>, 'callId' | 'name'>,
    related: number[],
  ): void {
    const { callId, name, advertisedAt: seq } = call
    const cause = code === 'pair/result-missing' ? early.causeOf(callId) : undefined
    const origin = advertisedAt.get(seq) ?? {}
    const finding = findingOf(code, { callId, name, ...more } as EvidenceOf<Code>, {
      origin,
      seq,
      related,
      ...(cause && { causedBy: cause }),
    })
    remember(seq, callId, finding)
    report(finding)
  }

  /** The model does not see it any more: it is trouble for later formats only. */
  function shadow(instead: Finding): void {
    const what = SHADOWED.get(instead.code)
    const { callId }: JsonObject = instead.args
    if (what === undefined || typeof callId !== 'string') return
    const { origin, seq, related } = instead
    const circumstances = { origin, ...(seq !== undefined && { seq }), ...(related && { related }) }
    sink(findingOf('pair/shadowed', { callId, what }, { ...circumstances, instead }))
  }

  function onAssistant(step: ReplayStep): void {
    const calls = advertisedCalls(step.event)
    if (calls.length === 0) return
    advertisedAt.set(step.event.seq, step.origin)
    for (const { callId, advertisedAt: firstAt } of step.change.readvertised) {
      const { relations } = step.dialect
      // Calls without an id cannot be distinguished; that they have none is said.
      if (!relations && (callId === '' || takesPlaceOf(step, firstAt))) continue
      const code = relations ? 'relation/call-announced-again' : 'pair/id-repeated'
      remember(firstAt, callId, raise(step, code, { callId, firstAt }, [firstAt]))
    }
    for (const call of calls) {
      if (call.id === '') raise(step, 'pair/id-empty', { member: 'id', callId: '' })
      if (call.name === '') raise(step, 'pair/id-empty', { member: 'name', callId: call.id })
      if (!isJsonText(call.arguments))
        raise(step, 'pair/arguments-broken', { callId: call.id, name: call.name })
      answeredAt.delete(call.id)
      early.announced(call.id, call.name, step)
    }
  }

  function onCall(step: ReplayStep): void {
    const { started } = step.change
    const { relations } = step.dialect
    if (started === undefined) {
      if (relations) raise(step, 'relation/call-not-announced', { callId: textIn(step.event, 'callId') })
      return
    }
    const { callId, advertisedAt: at, startedAt } = started
    if (relations && startedAt !== undefined) {
      raise(step, 'relation/call-started-twice', { callId, startedAt }, [startedAt])
      return
    }
    for (const member of ['name', 'arguments'] as const) {
      if (textIn(step.event, member) === started[member]) continue
      const code = relations ? 'relation/call-differs' : 'pair/arguments-differ'
      raise(step, code, { callId, member, advertisedAt: at }, [at])
    }
  }

  function onResult(step: ReplayStep): void {
    const { event, change, origin, dialect } = step
    if (event.surfaceOp !== 'append') return
    const callId = answeredCallId(event)
    const { answered } = change
    if (dialect.relations) {
      if (answered === undefined) {
        remember(event.seq, callId, raise(step, 'relation/result-without-call', { callId }))
      } else if (answered.startedAt === undefined && !isExactClosing(event)) {
        const { callId, advertisedAt: at } = answered
        raise(step, 'relation/result-not-started', { callId }, [at], exactClosing(event, callId))
      }
      return
    }
    if (callId === undefined || callId === '') return
    // A closing result for a call that was never recorded needs no call (format.md §7.1).
    if (!isNotStarted(event.data)) {
      const firstAt = answeredAt.get(callId)
      if (answered !== undefined) {
        if (answered.startedAt === undefined) raise(step, 'pair/call-unrecorded', { callId })
      } else if (firstAt === undefined)
        early.hold({ code: 'pair/call-missing', origin, seq: event.seq, args: { callId } }, callId)
      else raise(step, 'pair/result-repeated', { callId, firstAt }, [firstAt])
    }
    answeredAt.set(callId, event.seq)
  }

  function onAbandoned(step: ReplayStep, call: PendingCall): void {
    const { type, seq } = step.event
    const { callId, advertisedAt: at, copy } = call
    if (step.dialect.relations && type !== 'turn/start')
      remember(at, callId, raise(step, 'relation/call-unanswered', { callId, type, advertisedAt: at }, [at]))
    else if (!copy) {
      const closedBy = type === 'turn/start' ? 'next turn' : type
      atCall('pair/result-missing', call, { closedBy, closedAt: seq }, [seq])
    }
  }

  return {
    types: new Set([
      ...['turn/start', 'turn/end', 'step/end', 'assistant/message', 'tool/call', 'tool/result'],
    ]),
    onDeltas: ignoreDeltas,
    causeOf: (seq, callId) => lonely.get(`${seq} ${callId}`),
    on(step) {
      const { type } = step.event
      for (const call of step.change.abandoned) onAbandoned(step, call)
      if (type === 'assistant/message') onAssistant(step)
      else if (type === 'tool/call') onCall(step)
      else if (type === 'tool/result') onResult(step)
      else if (type === 'turn/start' || type === 'turn/end' || type === 'step/end') {
        advertisedAt.clear()
        // The call of a result that a recovery wrote too soon may follow the end of the turn.
        if (type !== 'turn/start') return
        early.endTurn()
        answeredAt.clear()
      }
    },
    finish({ cursor, surface }) {
      const open = cursor.turn !== undefined
      for (const call of cursor.pending.values()) {
        if (open && call.callId === '') atCall('pair/unclosable', call, {}, [])
        if (call.copy && !open) continue
        if (open) atCall('pair/result-pending', call, { startedAt: call.startedAt ?? null }, [])
        else
          atCall('pair/result-missing', call, { closedBy: 'end of the log', closedAt: call.advertisedAt }, [])
      }
      early.endTurn()
      for (const finding of broken)
        if (finding.seq !== undefined && !surface.has(finding.seq)) shadow(finding)
    },
  }
}

/** What is no trouble for the model any more once a replacement has taken it off the surface. */
const SHADOWED: ReadonlyMap<FindingCode, EvidenceOf<'pair/shadowed'>['what']> = new Map([
  ['pair/result-missing', 'result-missing'],
  ['pair/call-missing', 'call-missing'],
  ['pair/result-early', 'result-early'],
  ['pair/result-repeated', 'result-repeated'],
  ['pair/id-repeated', 'id-repeated'],
  ['pair/id-empty', 'id-empty'],
])

/** A replacement that shows a waiting message again announces nothing a second time. */
function takesPlaceOf({ effect, surface }: ReplayStep, seq: number): boolean {
  return effect.kind === 'replace' && !surface.has(seq)
}

/** Models sometimes announce arguments that do not parse; the empty text stands for none. */
function isJsonText(text: string): boolean {
  if (text === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What a result that says that its call never began has to say, for readers of format 4. */
function exactClosing(event: SessionEvent, callId: string): readonly MemberEdit[] | undefined {
  if (!isNotStarted(event.data)) return undefined
  const { error, text } = NOT_STARTED
  const { id } = messageOf(event) ?? {}
  const hasId = isForkedResultId(id) || isInterruptedResultId(id, callId)
  const message = ['data', 'message']
  return [
    { at: ['sourceEventSeqs'] },
    { at: ['data', 'error'], value: error },
    { at: [...message, 'isError'], value: true },
    { at: [...message, 'content'], value: [{ type: 'text', text }] },
    ...(hasId ? [] : [{ at: [...message, 'id'], value: interruptedResultId(callId, event.seq) }]),
  ]
}

/** What readers of format 4 take as the result of a call that was never started. */
function isExactClosing(event: SessionEvent): boolean {
  const { data, sourceEventSeqs } = event
  const message = messageOf(event)
  if (message === undefined || !isNotStarted(data) || data.error.name !== NOT_STARTED.error.name) return false
  if (message.isError !== true || sourceEventSeqs !== undefined || !isOneText(message.content)) return false
  if (isForkedResultId(message.id)) return true
  const isNamed = isInterruptedResultId(message.id, message.toolCallId)
  return isNamed && blocksOf(message)[0]?.text === NOT_STARTED.text
}
