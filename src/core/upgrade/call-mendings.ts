/**
 * What is wrong between an announced call, its start and its result: an id that is announced again while it waits, a
 * start that says something else than the announcement, a result without a start, an error that is no error to the
 * model. The migrations follow calls through a step, and so does this.
 */
import { answeredCallId, blocksOf, citedSeqs, messageOf, type SessionEvent } from '../event/session-event.ts'
import { isNotStarted } from '../event-types/closers.ts'
import { isJsonObject, itemsIn, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import type { MemberEdit } from '../json/member-edit.ts'
import type { ReplayStep } from '../replay/reducer.ts'
import type { SurfaceEffect } from '../surface/surface-manager.ts'
import type { AttemptChunks } from './attempt-chunks.ts'
import type { Changes } from './changes.ts'

interface OpenCall {
  /** The id that the log gives it. */
  readonly id: string
  /** The id that it gets, where that is another one. */
  readonly given: string | undefined
  readonly name: JsonValue | undefined
  readonly arguments: JsonValue | undefined
  startedAt?: number
}

export class CallMendings {
  readonly #changes: Changes
  readonly #chunks: AttemptChunks
  #open: OpenCall[] = []
  /** Results of calls that got another id, by their seq: a rewrite of one names the call as well. */
  readonly #renamed = new Map<number, string>()

  /** @param chunks - of the answer that comes next. */
  constructor(changes: Changes, chunks: AttemptChunks) {
    this.#changes = changes
    this.#chunks = chunks
  }

  on({ event, effect, header }: ReplayStep): void {
    switch (event.type) {
      case 'turn/start':
      case 'step/end':
        this.#open = []
        return
      case 'assistant/message':
        this.#announced(event, header?.id ?? '')
        return
      case 'tool/call':
        this.#started(event)
        return
      case 'tool/result':
        this.#answered(event, effect)
    }
  }

  #announced(event: SessionEvent, sessionId: string): void {
    const here = new Map<string, number>()
    for (const [index, block] of itemsIn(messageOf(event)?.content).entries()) {
      const { type, id, name, arguments: args } = objectIn(block)
      if (type !== 'tool-call' || typeof id !== 'string') continue
      const occurrence = here.get(id) ?? 0
      here.set(id, occurrence + 1)
      const isWaiting = this.#open.some((call) => call.id === id)
      const given = isWaiting ? `repaired-call:${sessionId}:${event.seq}:${index}` : undefined
      this.#open.push({ id, given, name, arguments: args })
      if (given === undefined) continue
      const at = ['data', 'message', 'content', index, 'id'] as const
      this.#changes.change(event.seq, 'repeated-calls', { at, value: given })
      this.#renameInStream(event, id, occurrence, given)
    }
  }

  /** The stream of the answer names the call too, in the answer or in chunks before it. */
  #renameInStream(event: SessionEvent, id: string, occurrence: number, given: string): void {
    const stream = objectIn(event.data).stream
    if (Array.isArray(stream)) {
      const changes = renamedRecords(stream, id, occurrence, given)
      if (changes.length > 0) this.#changes.change(event.seq, 'repeated-calls', ...changes)
      return
    }
    for (const { seq, at } of this.#chunks.naming(id, occurrence))
      this.#changes.change(seq, 'repeated-calls', { at, value: given })
  }

  #started({ seq, data }: SessionEvent): void {
    if (!isJsonObject(data)) return
    const unstarted = this.#open.filter(({ startedAt }) => startedAt === undefined)
    const fitting = unstarted.filter(
      ({ name, arguments: args }) => name === data.name && args === data.arguments,
    )
    const waiting = unstarted.filter((call) => call.id === data.callId)
    const named = waiting.find((call) => fitting.includes(call)) ?? waiting[0]
    // An id that no call has is told by name and arguments, where only one call has them.
    const call = named ?? (fitting.length === 1 ? fitting[0] : undefined)
    if (call === undefined) return
    call.startedAt = seq
    if (call.given !== undefined || named === undefined) {
      const family = named === undefined ? 'arguments' : 'repeated-calls'
      this.#changes.change(seq, family, { at: ['data', 'callId'], value: call.given ?? call.id })
    }
    for (const member of ['name', 'arguments'] as const) {
      const announced = call[member]
      if (typeof announced === 'string' && announced !== data[member])
        this.#changes.change(seq, 'arguments', { at: ['data', member], value: announced })
    }
  }

  #answered(event: SessionEvent, effect: SurfaceEffect): void {
    const { seq, surfaceOp } = event
    if (surfaceOp === 'append') this.#answeredFirst(event)
    else if (effect.kind === 'replace') {
      const given = this.#renamed.get(effect.replacement.start)
      if (given !== undefined) this.#rename(seq, given)
    }
    const { error } = objectIn(event.data)
    if (isJsonObject(error) && !isMarked(event) && !isNotStarted(event.data))
      this.#changes.change(seq, 'tool-errors', { at: ['data', 'error'] })
  }

  #answeredFirst(event: SessionEvent): void {
    const { seq, time, data } = event
    const cited = citedSeqs(event)
    const id = answeredCallId(event)
    const waiting = this.#open.filter((call) => call.id === id)
    const call =
      waiting.find(({ startedAt }) => startedAt !== undefined && cited.includes(startedAt)) ??
      waiting.find(({ startedAt }) => startedAt !== undefined) ??
      waiting[0]
    if (call === undefined || !isJsonObject(data)) return
    this.#open = this.#open.filter((other) => other !== call)
    if (call.given !== undefined) this.#rename(seq, call.given)
    if (call.startedAt !== undefined || isNotStarted(data)) return
    const { turn, step } = data
    const { name, arguments: args } = call
    if (turn === undefined || step === undefined || name === undefined || args === undefined) return
    const callId = call.given ?? call.id
    const start = { turn, step, callId, name, arguments: args }
    this.#changes.insert(seq, 'unstarted-calls', { type: 'tool/call', time, data: start })
  }

  #rename(seq: number, callId: string): void {
    this.#renamed.set(seq, callId)
    this.#changes.patch(seq, 'repeated-calls', { kind: 'call-id', callId })
  }
}

function isMarked(event: SessionEvent): boolean {
  return blocksOf(messageOf(event))[0]?.isError === true
}

/** Records of one call: those of the same index, in the order in which the calls of this id begin. */
function renamedRecords(
  stream: readonly JsonValue[],
  id: string,
  occurrence: number,
  given: string,
): readonly MemberEdit[] {
  const found = stream.flatMap((record, position) => {
    const named = isJsonObject(record) ? namedIn(record) : undefined
    return named?.id === id ? [{ ...named, at: ['data', 'stream', position, ...named.way] }] : []
  })
  const index = [...new Set(found.map((one) => one.index))][occurrence]
  return found.filter((one) => one.index === index).map(({ at }) => ({ at, value: given }))
}

function namedIn(record: JsonObject) {
  if (record.type === 'tool-call-chunks') return { id: record.id, index: record.index, way: ['id'] }
  const { chunk } = record
  if (!isJsonObject(chunk)) return undefined
  if (chunk.type === 'tool-call-delta') return { id: chunk.id, index: chunk.index, way: ['chunk', 'id'] }
  const { block } = chunk
  return isJsonObject(block) && block.type === 'tool-call'
    ? { id: block.id, index: chunk.index, way: ['chunk', 'block', 'id'] }
    : undefined
}
