/**
 * Identities that a log lacks or gives twice: message ids, ids and names of tool calls. New ones come from the id of
 * the session and the seq of the event, so that the same log always gets the same ones.
 */

import { NONE, NumberColumn } from '../event/number-column.ts'
import {
  advertisedCalls,
  answeredCallId,
  blocksOf,
  messageOf,
  type SessionEvent,
} from '../event/session-event.ts'
import { isSurfaceEligibleType } from '../event-types/vocabulary.ts'
import { firstIndex } from '../json/first-index.ts'
import { isJsonObject, isName, type JsonValue } from '../json/json-value.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
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

/** New ids of messages, which may be very many: each is made when it is asked for. */
export class MessageIds {
  /** Of the messages, rising. */
  readonly #seqs = new NumberColumn()
  /** The event that the new id is called after: a rewritten result shares its id. */
  readonly #givers = new NumberColumn()
  readonly #problems = new NumberColumn()
  readonly #sessionId: string

  constructor(sessionId: string) {
    this.#sessionId = sessionId
  }

  get size(): number {
    return this.#seqs.length
  }

  /** @param seq - greater than those that were added. */
  add(seq: number, giver: number, problem: IdProblem): void {
    this.#seqs.push(seq)
    this.#givers.push(giver)
    this.#problems.push(ID_PROBLEMS.indexOf(problem))
  }

  /** Gives a message the id that another one gets, if that gets one. */
  share(seq: number, other: number): boolean {
    const index = indexOf(this.#seqs, other)
    if (index === undefined) return false
    this.add(seq, this.#givers.at(index), this.#problemAt(index))
    return true
  }

  has(seq: number): boolean {
    return indexOf(this.#seqs, seq) !== undefined
  }

  get(seq: number): MessageIdPatch | undefined {
    const index = indexOf(this.#seqs, seq)
    if (index === undefined) return undefined
    const id = repairedMessageId(this.#sessionId, this.#givers.at(index))
    return { kind: 'message-id', id, problem: this.#problemAt(index) }
  }

  *seqs(): Iterable<number> {
    for (let index = 0; index < this.#seqs.length; index++) yield this.#seqs.at(index)
  }

  #problemAt(index: number): IdProblem {
    return ID_PROBLEMS[this.#problems.at(index)] as IdProblem
  }
}

type IdProblem = MessageIdPatch['problem']
const ID_PROBLEMS: readonly IdProblem[] = ['missing', 'repeated']

/** Where a number is in a list of rising ones. */
function indexOf(rising: NumberColumn, number: number): number | undefined {
  const index = firstIndex(rising.length, (at) => rising.at(at) < number)
  return index < rising.length && rising.at(index) === number ? index : undefined
}

/** Messages whose ids may have to change. */
class DoubtfulIds {
  readonly seqs = new NumberColumn()
  /** Numbers of problems; {@link NONE} for a message that only rewrites. */
  readonly #problems = new NumberColumn()
  /** The results that they rewrite, whose ids they share. */
  readonly #rewritten = new NumberColumn()

  push(seq: number, problem: IdProblem | undefined, rewritten: number | undefined): void {
    this.seqs.push(seq)
    this.#problems.push(problem === undefined ? NONE : ID_PROBLEMS.indexOf(problem))
    this.#rewritten.push(rewritten ?? NONE)
  }

  problemAt(index: number): IdProblem | undefined {
    return ID_PROBLEMS[this.#problems.at(index)]
  }

  rewrittenAt(index: number): number | undefined {
    const seq = this.#rewritten.at(index)
    return seq === NONE ? undefined : seq
  }
}

/**
 * Ids are given at the end, when it is known what is a part of the history that was appended again. That keeps its
 * ids: with new ones it would look as if it had been said twice.
 */
export function messageIdPatches(sessionId: string): Reducer<MessageIds> {
  /** Ids of messages that are not in the history. */
  const others = new Set<string>()
  const given = repairedMessageId(sessionId, '')
  const doubtful = new DoubtfulIds()
  const repetitions = MessageRepetitions.byId()
  const histories: RepeatedMessages[] = []

  function notice(repeated: RepeatedMessages | undefined): void {
    if (repeated !== undefined && repeated.seqs.length > 1) histories.push(repeated)
  }

  /** An earlier repair may have given this id, to an event that moved since. */
  function isGiven(id: JsonValue | undefined): boolean {
    if (typeof id !== 'string' || !id.startsWith(given)) return false
    const seq = Number(id.slice(given.length))
    const index = indexOf(doubtful.seqs, seq)
    return (
      index !== undefined &&
      doubtful.problemAt(index) !== undefined &&
      repairedMessageId(sessionId, seq) === id
    )
  }

  return {
    onDeltas: ignoreDeltas,
    on({ event, origin, effect }) {
      const named = isAppendSurfaceEvent(event) ? identified(event) : undefined
      const isKnown = named !== undefined && repetitions.find(named) !== -1
      if (named !== undefined) notice(repetitions.take(event, origin, named))
      const message = isSurfaceEligibleType(event.type) ? messageOf(event) : undefined
      if (message === undefined) return
      const { seq } = event
      const { id } = message
      const isMissing = typeof id !== 'string' || id === ''
      const isRepeated = named !== undefined && (isKnown || others.has(named.id) || isGiven(id))
      const problem = isMissing ? 'missing' : isRepeated ? 'repeated' : undefined
      const rewritten = rewrittenBy(event, effect)
      if (problem !== undefined || rewritten !== undefined) doubtful.push(seq, problem, rewritten)
      if (named === undefined && !isMissing) others.add(id)
    },
    finish() {
      notice(repetitions.end())
      const ids = new MessageIds(sessionId)
      let next = 0
      for (let index = 0; index < doubtful.seqs.length; index++) {
        const seq = doubtful.seqs.at(index)
        const problem = doubtful.problemAt(index)
        const rewritten = doubtful.rewrittenAt(index)
        while (next < histories.length && ((histories[next] as RepeatedMessages).seqs.at(-1) as number) < seq)
          next++
        const isHistory =
          problem === 'repeated' && (histories[next]?.seqs[0] ?? Number.POSITIVE_INFINITY) <= seq
        if (rewritten !== undefined && ids.share(seq, rewritten)) continue
        if (problem !== undefined && !isHistory) ids.add(seq, seq, problem)
      }
      return ids
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
