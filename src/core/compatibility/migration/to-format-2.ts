/**
 * Events of formats 0 and 1 on the way to format 2 (format.md §9.3): streamed chunks become part of their answer or an
 * attempt, a restarted turn is ended, and what an event names has to have a seq in the migrated log.
 */
import { catalogued } from '../../event-types/vocabulary.ts'
import type { Origin } from '../../findings/origin.ts'
import { isJsonObject, itemsIn, type JsonObject, type JsonValue, objectIn } from '../../json/json-value.ts'
import { AnswerStreams, CLOSING } from './answer-streams.ts'
import {
  type FaultIn,
  FROM_3,
  isTime,
  type MigratedEvent,
  type MigratedLog,
  type RefusalReport,
} from './refusal.ts'
import type { Relations } from './relations.ts'
import type { ChunkRun } from './stored-rows.ts'

export class ToFormat2 {
  readonly #log: MigratedLog
  readonly #report: RefusalReport
  readonly #open: Pick<Relations, 'turn' | 'step'>
  readonly #emitted: (event: MigratedEvent) => void
  readonly #marked: (marker: MigratedEvent) => void
  readonly #streams = new AnswerStreams()
  /** Turn and step that were open at the last chunk. */
  #openAtChunk: readonly [JsonValue | undefined, JsonValue | undefined] = [undefined, undefined]
  /** The latest chunk with a row of its own. */
  #lastChunk: MigratedEvent | undefined
  /** Turns as this migration follows them. */
  #openTurn: JsonValue | undefined
  #openStep: JsonValue | undefined
  #previous: MigratedEvent | undefined
  #hasCutMarker = false

  /**
   * @param open - the turn and step that the events so far have opened.
   * @param emitted - is given every event of format 2.
   * @param marked - is given the marker that format 2 has at the end of the inherited part, where the log has none.
   */
  constructor(
    log: MigratedLog,
    report: RefusalReport,
    open: Pick<Relations, 'turn' | 'step'>,
    emitted: (event: MigratedEvent) => void,
    marked: (marker: MigratedEvent) => void,
  ) {
    this.#log = log
    this.#report = report
    this.#open = open
    this.#emitted = emitted
    this.#marked = marked
  }

  /** Seq of the next event in the migrated log. */
  get nextSeq(): number {
    return this.#streams.next + (this.#streams.waiting === undefined ? 0 : 1)
  }

  /** A chunk with a row of its own. */
  takeChunk(event: MigratedEvent, { turn, step }: JsonObject, isFinish: boolean): void {
    this.takeRun({ first: event.seq, count: 1, turn, step }, event.origin, isFinish)
    this.#lastChunk = event
  }

  takeRun(run: ChunkRun, origin: Origin, isFinish = false): void {
    const { first, count, turn, step } = run
    this.#previous = undefined
    if (!this.#streams.continues(run)) this.#endAttempt(origin)
    const cut = this.#log.seedLength
    const isCut =
      cut !== undefined && (this.#streams.isCutBefore(cut, first) || first < cut !== first + count - 1 < cut)
    if (isCut) this.#refuseCut({ type: 'assistant/chunk', seq: first, origin })
    this.#streams.take({ first, count, turn, step }, isFinish)
    this.#openAtChunk = [this.#open.turn, this.#open.step]
  }

  #refuseCut(event: Pick<MigratedEvent, 'type' | 'seq' | 'origin'>): void {
    this.#report(event, 'stream-cut', 'cut')
  }

  /** Makes an attempt of chunks that no answer claims. */
  #endAttempt(origin: Origin): void {
    const attempt = this.#streams.end()
    if (attempt === undefined) return
    const { turn, step, last } = attempt
    this.#ensureCut(last, 'assistant/attempt', origin)
    this.#streams.next++
    const event = { type: 'assistant/attempt', seq: last, origin }
    const chunk = this.#lastChunk
    if (chunk?.seq === last && !isTime(chunk.time)) this.#report(chunk, 'envelope', 'time', { path: 'time' })
    const [openTurn, openStep] = this.#openAtChunk
    if (openTurn === undefined || openStep === undefined || turn !== openTurn || step !== openStep)
      this.#report({ ...event, type: 'assistant/chunk' }, 'turn', 'elsewhere')
    if (turn === 0 || step === 0)
      this.#report({ ...event, type: 'assistant/chunk' }, 'member-value', 'positive', {
        targets: FROM_3,
        path: turn === 0 ? 'data.turn' : 'data.step',
      })
  }

  /** What an event does to turns and streams even when no migration knows it. */
  pass(event: MigratedEvent): void {
    this.#previous = event
    this.#streams.next++
  }

  take(event: MigratedEvent): void {
    const data = objectIn(event.data)
    this.#followTurns(event, data)
    this.#ownMark(event, data)
    if (event.type === 'assistant/message') this.#answer(event, data)
    else if (CLOSING.has(event.type)) this.#endAttempt(event.origin)
    this.#emit(event, data)
  }

  /** A turn that starts over an open one right after the message it was started for is a restart, which is mended. */
  #followTurns(event: MigratedEvent, data: JsonObject): void {
    const { type } = event
    if (type === 'turn/start') {
      if (this.#openTurn !== undefined && this.#restarts(data.turn)) {
        this.#endAttempt(event.origin)
        const reason = { kind: 'interrupted' }
        const turn = this.#openTurn
        const end = { type: 'turn/end', data: { turn, reason } as JsonObject }
        this.#emit({ ...event, ...end, surfaceOp: undefined, sourceEventSeqs: undefined }, end.data)
      }
      this.#openTurn = data.turn
      this.#openStep = undefined
    } else if (type === 'turn/end') {
      this.#openTurn = undefined
      this.#openStep = undefined
    } else if (type === 'step/start') this.#openStep = data.step
    else if (type === 'step/end') this.#openStep = undefined
    this.#previous = event
  }

  #restarts(turn: JsonValue | undefined): boolean {
    if (this.#openStep !== undefined || typeof this.#openTurn !== 'number') return false
    return turn === this.#openTurn + 1 && startsTurn(this.#previous)
  }

  /** An upload mark of the log's own format names its session, unless it is inherited. */
  #ownMark(event: MigratedEvent, data: JsonObject): void {
    if (event.type !== 'session-log-deepseek/delivery-accepted') return
    if ((data.sessionFormatVersion ?? 0) !== this.#log.format || data.sessionId === this.#log.sessionId)
      return
    if (!(this.#log.hasParent && event.seq < (this.#log.seedLength ?? 0)))
      this.#report(event, 'upload-mark', 'session')
  }

  #answer(event: MigratedEvent, { turn, step }: JsonObject): void {
    const waiting = this.#streams.waiting
    const sources = event.sourceEventSeqs
    const refuse = (fault: FaultIn<'answer-stream'>): void =>
      this.#report(event, 'answer-stream', fault, { path: 'sourceEventSeqs' })
    if (waiting !== undefined && (waiting.turn !== turn || waiting.step !== step))
      this.#endAttempt(event.origin)
    else if (sources === undefined) {
      if (waiting !== undefined) refuse('missing')
    } else if (sources.length === 0) this.#endAttempt(event.origin)
    else if (!this.#streams.isStream(sources)) refuse('other')
    else if (this.#log.seedLength !== undefined && this.#streams.isCutBefore(this.#log.seedLength, event.seq))
      this.#refuseCut(event)
    this.#streams.claim()
  }

  /** The marker that format 2 has at the end of the inherited part, where the log has none. */
  #ensureCut(seq: number, type: string, origin: Origin): void {
    const cut = this.#log.seedLength
    if (cut === undefined || this.#hasCutMarker || seq < cut) return
    this.#hasCutMarker = true
    if (seq === cut && type === 'session/end-seed') return
    this.#streams.next++
    const marker = {
      type: 'session/end-seed',
      seq,
      time: 0,
      data: { inherited: true },
      surfaceOp: undefined,
      sourceEventSeqs: undefined,
      ignorable: undefined,
      origin,
    }
    this.#marked(marker)
  }

  #emit(event: MigratedEvent, data: JsonObject): void {
    this.#ensureCut(event.seq, event.type, event.origin)
    if (event.type !== 'assistant/message') this.#noChunks(event, 'sourceEventSeqs', event.sourceEventSeqs)
    this.#references(event, data)
    this.#emitted(event)
    this.#streams.next++
    // The change of an early goal becomes an event of its own before its message.
    const { source } = data
    if (
      event.type === 'user/message' &&
      isJsonObject(source) &&
      source.kind === 'goal' &&
      source.change !== undefined
    )
      this.#streams.next++
  }

  /** What the event names must have a place in the migrated log. */
  #references(event: MigratedEvent, data: JsonObject): void {
    const { surfaceOp: op, type } = event
    if (isJsonObject(op))
      for (const end of ['start', 'end']) this.#noChunks(event, `surfaceOp.${end}`, [op[end]])
    else if (op !== undefined && op !== 'append')
      this.#report(event, 'reference', 'no-replacement', { path: 'surfaceOp' })
    if (catalogued(type) === undefined) return
    if (type === 'command/done' && data.sourceEventSeq !== undefined)
      this.#noChunks(event, 'data.sourceEventSeq', [data.sourceEventSeq])
    for (const list of ['shadowedSeqs', 'messageSeqs'])
      this.#noChunks(event, `data.${list}`, itemsIn(data[list]))
  }

  #noChunks(event: MigratedEvent, path: string, seqs: readonly (JsonValue | undefined)[] | undefined): void {
    for (const seq of seqs ?? []) {
      // The migration takes an event that cites itself along; the surface and the next one do not.
      const isMapped = Number.isSafeInteger(seq) && (seq as number) >= 0 && (seq as number) <= event.seq
      if (isMapped && !this.#streams.isChunk(seq as number)) continue
      this.#report(event, 'reference', isMapped ? 'chunk' : 'end-not-earlier', { path, part: seq })
      return
    }
  }

  finish(origin: Origin): void {
    this.#endAttempt(origin)
    this.#ensureCut(Number.POSITIVE_INFINITY, 'the end', origin)
  }
}

/** Whether an event puts the message into the inbox that the next turn is started for. */
export function startsTurn(event: Pick<MigratedEvent, 'type' | 'data'> | undefined): boolean {
  const { target, inserted } = objectIn(event?.data)
  return event?.type === 'agent/inbox/spliced' && target === 'next-turn' && itemsIn(inserted).length > 0
}
