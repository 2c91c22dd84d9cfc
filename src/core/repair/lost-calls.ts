/**
 * The calls of the open step as far as the log has them, and what they prove to be lost: the start of a call that has a
 * result, the result of a call that was started, the message that announced a call. A result says that it is lost, and a
 * message that announced calls holds these calls and nothing else.
 */
import type { Dialect } from '../dialect/dialect.ts'
import {
  advertisedCalls,
  answeredCallId,
  callsIn,
  messageOf,
  type SessionEvent,
} from '../event/session-event.ts'
import { isNotStarted } from '../event-types/closers.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { missingResult } from './closers.ts'
import { resultNote } from './exchange-notes.ts'
import type { EventRef, Filling, Gap, Gaps, Place } from './gaps.ts'
import { repairedMessageId } from './identity-patches.ts'
import type { RowContext } from './row-mend.ts'
import type { StreamedAnswer } from './streamed-answers.ts'
import { withContentOf } from './surface-patches.ts'

interface Call {
  readonly callId: string
  readonly name: string
  readonly arguments: string
  readonly turn: JsonValue | undefined
  readonly step: JsonValue | undefined
  startedBy?: EventRef
  /** Where the log has what proves the latest state of the call. */
  since: number
}

/** What a lost result was, as far as a rewrite of it tells. */
interface LostResult {
  readonly call: Call
  filling?: Filling
  rewrite?: JsonObject
}

interface PutMessage {
  readonly filling: Filling
  readonly blocks: JsonObject[]
}

interface OpenStep {
  readonly turn: number | undefined
  readonly step: number | undefined
}

export class LostCalls {
  readonly #gaps: Gaps
  readonly #dialect: Dialect
  readonly #sessionId: string
  /** Lost seqs that events name. */
  readonly #claims: ReadonlyMap<number, readonly number[]>
  readonly #calls = new Map<string, Call>()
  /** Results that are put in, by their call. */
  readonly #results = new Map<string, LostResult>()
  /** Calls of this step that were announced without an id: each gets one later, from its start or result where they tell. */
  #nameless = 0
  /** Every call that was announced. */
  readonly #known = new Set<string>()
  readonly #orphans = new Map<number, readonly JsonValue[]>()
  #model: RowContext['model']
  /** The message that was put in for calls of this step. */
  #announcing: PutMessage | undefined

  constructor(
    gaps: Gaps,
    dialect: Dialect,
    sessionId: string,
    claims: ReadonlyMap<number, readonly number[]>,
    model: RowContext['model'],
  ) {
    this.#gaps = gaps
    this.#dialect = dialect
    this.#sessionId = sessionId
    this.#claims = claims
    this.#model = model
  }

  /** Calls that wait for a result. */
  get waiting(): number {
    return this.#calls.size
  }

  /** Results whose calls are lost with all that they were, by their dense numbers: they are kept as text. */
  get orphans(): ReadonlyMap<number, readonly JsonValue[]> {
    return this.#orphans
  }

  useModel({ provider, model }: JsonObject): void {
    if (isName(provider) && isName(model)) this.#model = { provider, model }
  }

  /** The step is over. */
  clear(): void {
    this.#calls.clear()
    this.#nameless = 0
    this.#announcing = undefined
  }

  onMessage(event: SessionEvent, turn: JsonValue | undefined, step: JsonValue | undefined): void {
    const source = messageOf(event)?.source
    if (isJsonObject(source)) this.useModel(source)
    this.#announcing = undefined
    for (const { id, name, arguments: args } of advertisedCalls(event))
      this.#await({ callId: id, name, arguments: args, turn, step, since: event.seq })
  }

  onCall(data: JsonObject, seq: number, open: OpenStep): void {
    if (!isName(data.callId)) return
    const known = this.#calls.get(data.callId)
    if (known === undefined && this.#nameless > 0) return
    const call = known ?? this.#announce(data.callId, data, seq, open)
    if (call === undefined) return
    call.startedBy = seq
    call.since = seq
  }

  onResult(event: SessionEvent): void {
    const callId = answeredCallId(event)
    const call = callId === undefined ? undefined : this.#calls.get(callId)
    if (call === undefined) {
      if (callId !== undefined && this.#nameless > 0) {
        this.#nameless--
        return
      }
      const isLost = this.#gaps.met.length > 0 && callId !== undefined && !this.#known.has(callId)
      if (isLost || this.#dialect.relations) this.#orphans.set(event.seq, resultNote(event))
      return
    }
    this.#calls.delete(call.callId)
    if (call.startedBy !== undefined || isNotStarted(event.data)) return
    const place = this.#gaps.since(call.since, event.seq) ?? this.#gaps.enforcedPlace(event.seq)
    if (place === undefined) return
    const { turn, step, name, arguments: args } = call
    const data = { turn, step, callId: call.callId, name, arguments: args } as JsonObject
    const filling = this.#gaps.put(place, 'tool/call', data)
    const [claimed] = this.#claims.get(event.seq) ?? []
    if (claimed !== undefined) filling.claimed = claimed
  }

  /** A rewrite says everything about the lost result that it rewrites, but for its content. */
  onRewrite(event: SessionEvent): void {
    const callId = answeredCallId(event)
    const result = callId === undefined ? undefined : this.#results.get(callId)
    if (result !== undefined && isJsonObject(event.data)) {
      result.rewrite ??= event.data
      if (!isNotStarted(event.data)) this.#start(result)
    }
    const op: JsonObject = isJsonObject(event.surfaceOp) ? (event.surfaceOp as JsonObject) : {}
    const target = op[this.#dialect.surface.start]
    if (isCount(target) && this.#orphans.has(target)) this.#orphans.set(event.seq, resultNote(event))
  }

  /** Puts in the results that were lost before the step ended at `seq`; at `other` those that no gap had. */
  answerWaiting(seq: number, other?: Place): void {
    for (const call of this.#calls.values()) {
      const place = this.#gaps.since(call.since, seq) ?? other
      if (place !== undefined) this.#answer(call, place)
    }
    this.#calls.clear()
  }

  #await(call: Call): Call {
    this.#known.add(call.callId)
    if (call.callId === '') this.#nameless++
    else this.#calls.set(call.callId, call)
    return call
  }

  /** Puts in an answer that was streamed in full; it was the first event of the gap. */
  restore({ turn, step, content, usage, replayState, chunks }: StreamedAnswer, gap: Gap): void {
    const model = this.#model
    if (model === undefined) return
    const blocks = [...content] as JsonObject[]
    const filling = this.#gaps.add(gap, 'assistant/message', (own, of) => ({
      data: {
        turn,
        step,
        message: {
          id: repairedMessageId(this.#sessionId, own),
          role: 'assistant',
          content: blocks,
          source: { kind: 'model', ...model, ...(replayState !== undefined && { replayState }) },
        },
        ...(usage !== undefined && { usage }),
      },
      sourceEventSeqs: chunks.map(of),
      surfaceOp: 'append',
    }))
    filling.claimed = gap.first
    this.#announcing = { filling, blocks }
    for (const { id, name, arguments: args } of callsIn(content))
      this.#await({ callId: id, name, arguments: args, turn, step, since: gap.before - 1 })
  }

  /** A call that was started was announced. The message that did it is lost, but for its calls. */
  #announce(
    callId: string,
    { name, arguments: args }: JsonObject,
    seq: number,
    { turn, step }: OpenStep,
  ): Call | undefined {
    if (!isName(name) || typeof args !== 'string' || turn === undefined || step === undefined)
      return undefined
    this.#announcing ??= this.#putMessage(seq, turn, step)
    if (this.#announcing === undefined) return undefined
    const { filling, blocks } = this.#announcing
    blocks.push({ type: 'tool-call', id: callId, name, arguments: args })
    return this.#await({ callId, name, arguments: args, turn, step, since: filling.before - 1 })
  }

  #putMessage(seq: number, turn: number, step: number): PutMessage | undefined {
    const model = this.#model
    const gaps = this.#gaps.met.filter(({ before }) => before <= seq)
    const place = gaps.findLast((gap) => gap.turn === turn && gap.step === step) ?? gaps.at(-1)
    if (model === undefined || place === undefined) return undefined
    const blocks: JsonObject[] = []
    const filling = this.#gaps.add(place, 'assistant/message', (own) => ({
      data: {
        turn,
        step,
        message: {
          id: repairedMessageId(this.#sessionId, own),
          role: 'assistant',
          content: blocks,
          source: { kind: 'model', ...model },
        },
        ...(this.#dialect.surface.embeddedStreams && { stream: [] }),
      },
      surfaceOp: 'append',
    }))
    return { filling, blocks }
  }

  /** A call whose lost result was not that of a call that never began was started. */
  #start({ call, filling }: LostResult): void {
    if (call.startedBy !== undefined || filling === undefined) return
    const place = this.#gaps.placeOf(filling)
    const { turn, step, callId, name, arguments: args } = call
    const data = { turn, step, callId, name, arguments: args } as JsonObject
    this.#gaps.addBefore(filling, () => {
      call.startedBy = this.#gaps.put(place, 'tool/call', data)
    })
  }

  #answer(call: Call, place: Place): void {
    const result: LostResult = { call }
    this.#results.set(call.callId, result)
    result.filling = this.#gaps.add(place, 'tool/result', (seq, of) => {
      const { startedBy } = call
      const started = startedBy === undefined ? {} : { startedAt: of(startedBy) }
      const pending = { callId: call.callId, turn: call.turn, step: call.step, ...started }
      const { data, surfaceOp, sourceEventSeqs } = missingResult(
        call.turn,
        pending,
        seq,
        place.time,
        this.#dialect,
      )
      const told = result.rewrite === undefined ? data : withContentOf(result.rewrite, data as JsonObject)
      return { data: told, surfaceOp, ...(sourceEventSeqs && { sourceEventSeqs }) } as JsonObject
    })
  }
}
