/**
 * Identities that a log lacks or gives twice: message ids, ids and names of tool calls. New ones come from the id of
 * the session and the seq of the event, so that the same log always gets the same ones.
 */
import {
  advertisedCalls,
  answeredCallId,
  blocksOf,
  messageOf,
  type SessionEvent,
} from '../event/session-event.ts'
import { isSurfaceEligibleType } from '../event-types/vocabulary.ts'
import { isJsonObject, isName, type JsonValue } from '../json/json-value.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { identified, MessageRepetitions, type RepeatedMessages } from '../replay/repeated-messages.ts'
import type { SurfaceEffect } from '../surface/surface-manager.ts'
import { isAppendSurfaceEvent } from '../surface/surface-predicates.ts'
import type { MessageIdPatch, RowPatch } from './row-patch.ts'

/** The id that an event gets from a repair, new or only lacking one. */
export function repairedMessageId(sessionId: string, seq: number | ''): string {
  return `repaired-message:${sessionId}:${seq}`
}

export type PatchSink = (seq: number, patch: RowPatch) => void

/** A message whose id may have to change. */
interface DoubtfulId {
  readonly seq: number
  readonly problem: 'missing' | 'repeated' | undefined
  /** The result that it rewrites, whose id it shares. */
  readonly rewrites: number | undefined
}

/**
 * Ids are given at the end, when it is known what is a part of the history that was appended again. That keeps its
 * ids: with new ones it would look as if it had been said twice.
 */
export function messageIdPatches(sessionId: string, patch: PatchSink): Reducer<void> {
  const seen = new Set<JsonValue | undefined>()
  const given = repairedMessageId(sessionId, '')
  const doubtful: DoubtfulId[] = []
  const repetitions = MessageRepetitions.byId()
  const histories: RepeatedMessages[] = []

  function notice(repeated: RepeatedMessages | undefined): void {
    if (repeated !== undefined && repeated.seqs.length > 1) histories.push(repeated)
  }

  /** An earlier repair may have given this id, to an event that moved since. */
  function isGiven(id: JsonValue | undefined): boolean {
    if (typeof id !== 'string' || !id.startsWith(given)) return false
    const seq = Number(id.slice(given.length))
    let [low, high] = [0, doubtful.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((doubtful[middle] as DoubtfulId).seq < seq) low = middle + 1
      else high = middle
    }
    const found = doubtful[low]
    return found?.problem !== undefined && repairedMessageId(sessionId, found.seq) === id
  }

  return {
    on({ event, origin, effect }) {
      const named = isAppendSurfaceEvent(event) ? identified(event) : undefined
      if (named !== undefined) notice(repetitions.take(event, origin, named))
      const message = isSurfaceEligibleType(event.type) ? messageOf(event) : undefined
      if (message === undefined) return
      const { seq } = event
      const { id } = message
      const isMissing = typeof id !== 'string' || id === ''
      const isRepeated = event.surfaceOp === 'append' && (seen.has(id) || isGiven(id))
      const problem = isMissing ? 'missing' : isRepeated ? 'repeated' : undefined
      const rewrites = rewrittenBy(event, effect)
      if (problem !== undefined || rewrites !== undefined) doubtful.push({ seq, problem, rewrites })
      if (problem === undefined) seen.add(id)
    },
    finish() {
      notice(repetitions.end())
      const targets = new Set(doubtful.flatMap(({ rewrites }) => rewrites ?? []))
      const changed = new Map<number, MessageIdPatch>()
      let next = 0
      for (const { seq, problem, rewrites } of doubtful) {
        while (next < histories.length && ((histories[next] as RepeatedMessages).seqs.at(-1) as number) < seq)
          next++
        const isHistory =
          problem === 'repeated' && (histories[next]?.seqs[0] ?? Number.POSITIVE_INFINITY) <= seq
        const own: MessageIdPatch | undefined =
          problem === undefined || isHistory
            ? undefined
            : { kind: 'message-id', id: repairedMessageId(sessionId, seq), problem }
        const shared = rewrites === undefined ? undefined : changed.get(rewrites)
        const chosen = shared ?? own
        if (chosen === undefined) continue
        if (targets.has(seq)) changed.set(seq, chosen)
        patch(seq, chosen)
      }
    },
  }
}

interface NamelessCall {
  /** The id that it gets. */
  id: string
  /** Where it was announced. */
  readonly seq: number
  readonly index: number
  started: boolean
}

/** @param embedsStream - in format 2 the blocks of an answer must be those of its stream, so they are left alone. */
export function callIdPatches(sessionId: string, embedsStream: boolean, patch: PatchSink): Reducer<void> {
  /** Calls of the step that had no id and have no result yet, in the order they were announced. */
  let waiting: NamelessCall[] = []
  const given = new Map<number, string>()
  const changed = new Map<number, Map<number, Record<string, string>>>()

  function set(seq: number, index: number, members: Record<string, string>): void {
    const known = changed.get(seq) ?? new Map<number, Record<string, string>>()
    known.set(index, { ...known.get(index), ...members })
    changed.set(seq, known)
    patch(seq, { kind: 'call-blocks', blocks: known })
  }

  function give(seq: number, callId: string): void {
    given.set(seq, callId)
    patch(seq, { kind: 'call-id', callId })
  }

  function onAssistant(event: SessionEvent): void {
    for (const [index, block] of blocksOf(messageOf(event)).entries()) {
      if (block.type !== 'tool-call' || isName(block.id)) continue
      const { seq } = event
      const id = `repaired-call:${sessionId}:${seq}:${index}`
      waiting.push({ id, seq, index, started: false })
      set(seq, index, { id })
    }
  }

  /** What was announced without an id was called so, as its start or its result tells. */
  function rename(call: NamelessCall, id: string): void {
    call.id = id
    set(call.seq, call.index, { id })
  }

  function onCall({ event, change }: ReplayStep): void {
    const { data, seq } = event
    if (!isJsonObject(data)) return
    const { started } = change
    if (started?.name === '' && typeof data.name === 'string' && data.name !== '') {
      nameBlock(started.advertisedAt, started.callId, data.name)
    }
    if (isName(data.callId) && started !== undefined) return
    const call = waiting.find((candidate) => !candidate.started)
    if (call === undefined) return
    call.started = true
    if (isName(data.callId)) rename(call, data.callId)
    else give(seq, call.id)
  }

  const announced = new Map<number, SessionEvent>()
  function nameBlock(seq: number, callId: string, name: string): void {
    const event = announced.get(seq)
    const blocks = event === undefined ? [] : blocksOf(messageOf(event))
    const index = blocks.findIndex(({ id, name }) => id === callId && !isName(name))
    if (index >= 0) set(seq, index, { name })
  }

  function onResult({ event, effect, change }: ReplayStep): void {
    const answered = answeredCallId(event)
    if (isName(answered)) {
      const lonely = change.answered === undefined && event.surfaceOp === 'append'
      const call = lonely ? waiting.find(({ id, started }) => id === answered || !started) : undefined
      if (call !== undefined && call.id !== answered) rename(call, answered)
      waiting = waiting.filter(({ id }) => id !== answered)
      return
    }
    if (answered === undefined) return
    const rewritten = rewrittenBy(event, effect)
    const inherited = rewritten === undefined ? undefined : given.get(rewritten)
    const callId = inherited ?? (event.surfaceOp === 'append' ? waiting.shift()?.id : undefined)
    if (callId !== undefined) give(event.seq, callId)
  }

  return {
    on(step) {
      const { event } = step
      switch (event.type) {
        case 'assistant/message':
          if (embedsStream || event.surfaceOp !== 'append') return
          if (advertisedCalls(event).some(({ name }) => name === '')) announced.set(event.seq, event)
          onAssistant(event)
          return
        case 'tool/call':
          onCall(step)
          return
        case 'tool/result':
          onResult(step)
          return
        case 'turn/start':
        case 'turn/end':
        case 'step/end':
          waiting = []
          announced.clear()
      }
    },
    finish() {},
  }
}

/** The result that a tool result rewrites. */
function rewrittenBy({ type }: SessionEvent, effect: SurfaceEffect): number | undefined {
  return type === 'tool/result' && effect.kind === 'replace' ? effect.replacement.start : undefined
}
