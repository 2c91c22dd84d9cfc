/**
 * What the chain of migrations makes of a log, row by row as it is stored, for every release that gets the log by
 * migration: which refuse it, where and why. It follows the published readers of formats 0 to 3: rows, early shapes,
 * members, streams, the system prompt, relations. Nothing is migrated; only what the steps look at is followed.
 */
import { dialectOf } from '../../dialect/dialect.ts'
import { HEADER } from '../../event-types/envelope.ts'
import { kindRefusals } from '../../event-types/refusals.ts'
import { catalogued, isKnownType, isSurfaceEligibleType } from '../../event-types/vocabulary.ts'
import type { Origin } from '../../findings/origin.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { eventRefusals } from '../event-refusals.ts'
import { AnswerStreams } from './answer-streams.ts'
import { EarlyShapes } from './early-shapes.ts'
import {
  ALL_LATER,
  FROM_3,
  type MigratedEvent,
  type RefusalReport,
  type TargetFormat,
  type UpgradeRefusal,
} from './refusal.ts'
import { type RelationContext, Relations } from './relations.ts'
import { type ChunkRun, StoredRows } from './stored-rows.ts'

/** What ends an attempt that no answer has claimed. */
const CLOSING: ReadonlySet<string> = new Set(['turn/end', 'step/end', 'llm/retry', 'llm/retry-started'])
const ENVELOPE: ReadonlySet<string> = new Set(['type', 'seq', 'time', 'data', 'ignorable'])
const SURFACE_MEMBERS: ReadonlySet<string> = new Set(['surfaceOp', 'sourceEventSeqs'])
const ONLY_4: readonly TargetFormat[] = [4]

export class Migration {
  readonly #visit: (refusal: UpgradeRefusal) => void
  readonly #header: JsonObject
  readonly #format: number
  readonly #sessionId: string
  readonly #hasParent: boolean
  /** Number of inherited events; later formats say it by a marker. */
  readonly #seedLength: number | undefined
  readonly #rows: StoredRows
  readonly #early: EarlyShapes
  readonly #streams = new AnswerStreams()
  readonly #relations: Relations
  /** Of the first row of a tail that is cut. */
  #damage: { readonly origin: Origin; readonly problem: string } | undefined
  /** Turn and step that were open at the last chunk. */
  #openAtChunk: readonly [JsonValue | undefined, JsonValue | undefined] = [undefined, undefined]
  /** The latest chunk with a row of its own. */
  #lastChunk: MigratedEvent | undefined
  /** Turns as the migration to format 2 follows them. */
  #openTurn: JsonValue | undefined
  #openStep: JsonValue | undefined
  #previous: MigratedEvent | undefined
  /** The system prompt of the latest request header, and whether there is a message of it yet. */
  #prompt: JsonValue = ''
  #hasHead = false
  #inStep = false
  /** The marker that ends the inherited part, once it is seen. */
  #marker: number | undefined
  #hasCutMarker = false
  #foreignMark: MigratedEvent | undefined

  /** @param header - as it is stored, of one of the formats 0 to 3. */
  constructor(header: JsonObject, origin: Origin, visit: (refusal: UpgradeRefusal) => void) {
    this.#visit = visit
    this.#header = header
    this.#format = header.version as number
    this.#sessionId = typeof header.id === 'string' ? header.id : ''
    this.#hasParent = header.parentSession !== undefined
    this.#seedLength = typeof header.seedLength === 'number' ? header.seedLength : undefined
    this.#rows = new StoredRows(this.#format)
    this.#early = new EarlyShapes(this.#sessionId)
    this.#relations = new Relations(this.#relationReport)
    const context = { root: 'header', type: 'the header', format: this.#format, seq: 0 }
    kindRefusals(HEADER, header, context, ({ path, needs, what }) => {
      this.#visit({
        area: 'header',
        targets: this.#later,
        origin,
        type: 'session',
        path,
        problem: needs,
        kind: `member ${what} of the header ${needs}`,
      })
    })
  }

  /** Formats whose releases migrate the log. */
  get #later(): readonly TargetFormat[] {
    return this.#format < 2 ? ALL_LATER : this.#format === 2 ? FROM_3 : ONLY_4
  }

  readonly #report: RefusalReport = ({ type, seq, origin }, area, problem, { targets, path, kind } = {}) => {
    const own = (targets ?? ALL_LATER).filter((target) => target > this.#format)
    if (own.length === 0) return
    const kinds = kind ?? problem
    this.#visit({
      ...{
        area,
        targets: own,
        origin,
        seq,
        type,
        problem,
        kind: `${path === undefined ? '' : `${path} of `}${type} ${kinds}`,
      },
      ...(path !== undefined && { path }),
    })
  }

  readonly #relationReport: RefusalReport = (event, area, problem, more) =>
    this.#report(event, area, problem, more)

  // Rows -----------------------------------------------------------------------------------------------------------------

  /** Takes streamed deltas that are where they should. */
  takeRun(run: ChunkRun, origin: Origin): void {
    if (this.#rows.skip(run.count)) this.#chunks(run, origin, false)
  }

  /** @param value - what the record holds; absent when it cannot be read. */
  take(value: JsonValue | undefined, origin: Origin) {
    const taken = this.#rows.take(this.#damageOf3(value) === undefined ? value : undefined)
    switch (taken.kind) {
      case 'event':
        return this.#row(taken.row, taken.sources, origin)
      case 'run':
        return this.#chunks(taken.run, origin, false)
      case 'damaged':
        this.#damage = { origin, problem: taken.problem }
        return
      case 'turn end after damage': {
        const { origin: at, problem } = this.#damage ?? { origin, problem: 'it breaks the numbering' }
        const row = { type: 'row', origin: at }
        this.#visit({
          area: 'row-damaged',
          targets: this.#later,
          ...row,
          problem: `is damaged before a turn end: ${problem}`,
          kind: 'damaged rows before a turn end',
        })
        return
      }
      case 'dropped':
        return
    }
  }

  /** Format 3 looks at more of a row than the formats before it. */
  #damageOf3(value: JsonValue | undefined): string | undefined {
    if (this.#format !== 3 || !isJsonObject(value)) return undefined
    return dialectOf(3).rowDamage(value, this.#rows.count)
  }

  #row(row: JsonObject, sources: readonly number[] | undefined, origin: Origin) {
    const seq = this.#rows.count - 1
    const stored: MigratedEvent = {
      type: typeof row.type === 'string' ? row.type : '',
      seq,
      time: row.time,
      data: row.data,
      surfaceOp: row.surfaceOp,
      sourceEventSeqs: sources,
      ignorable: row.ignorable,
      origin,
    }
    const isKnown = this.#isKnown(stored)
    if (!isKnown && this.#format !== 3)
      this.#report(stored, 'unknown-type', 'is a type that no migration knows, even where it is ignorable', {
        targets: this.#later,
        kind: 'is a type that no migration knows',
      })
    if (this.#format < 3) this.#envelope(row, stored)
    if (!isKnown) {
      if (this.#format < 2) this.#passes(stored)
      return
    }
    if (
      this.#format < 3 &&
      !isJsonObject(stored.data) &&
      !(this.#format === 1 && stored.type === 'assistant/chunk')
    ) {
      const missing = stored.data === undefined
      this.#report(
        stored,
        missing ? 'member-missing' : 'member-value',
        missing ? 'is missing' : 'must be an object',
        { path: 'data' },
      )
      if (stored.type === 'assistant/chunk') return
    }
    const upgraded = this.#format === 0 && isJsonObject(stored.data) ? this.#upgraded(stored) : stored
    const event = upgraded ?? stored
    if (event.type === 'assistant/chunk') return this.#chunk(event)
    if (this.#format < 3 && upgraded !== undefined && isJsonObject(event.data)) this.#members(event)
    if (this.#format < 2) this.#toSecond(event)
    else this.#related(event)
  }

  #isKnown({ type }: MigratedEvent): boolean {
    if (isKnownType(type, this.#format)) return true
    const early = this.#format === 0 ? catalogued(type) : undefined
    return early?.earlyNameOf !== undefined || early?.retired === true
  }

  #envelope(row: JsonObject, event: MigratedEvent): void {
    const { type, time, ignorable } = event
    const isChunk = type === 'assistant/chunk'
    const mayBeOnSurface =
      isChunk || isSurfaceEligibleType(type) || catalogued(type)?.earlyNameOf === 'user/message'
    for (const member of Object.keys(row)) {
      if (ENVELOPE.has(member) || (mayBeOnSurface && SURFACE_MEMBERS.has(member))) continue
      this.#report(event, 'envelope', 'is a member that an event of this type does not have', {
        path: member,
      })
    }
    if (ignorable !== undefined && ignorable !== true)
      this.#report(event, 'envelope', 'may only be true', { path: 'ignorable' })
    if (isChunk) {
      if (time === undefined) this.#report(event, 'envelope', 'is missing', { path: 'time' })
      return
    }
    if (!isTime(time)) this.#report(event, 'envelope', 'must be a whole number', { path: 'time' })
    if (this.#format === 2 && Object.is(row.seq, -0))
      this.#report(event, 'envelope', 'must not be -0', { path: 'seq' })
    if (isSurfaceEligibleType(type)) this.#surfaceMembers(row, event)
  }

  /** What the migration from format 2 to 3 asks of the surface members, beyond that they fit the surface. */
  #surfaceMembers({ surfaceOp: op, sourceEventSeqs }: JsonObject, event: MigratedEvent): void {
    const refuse = (path: string, problem: string): void =>
      this.#report(event, 'reference', problem, { targets: FROM_3, path })
    const sources = event.sourceEventSeqs ?? []
    if (sourceEventSeqs !== undefined && !(this.#format < 2 && event.type === 'assistant/message')) {
      if (event.type === 'assistant/message') refuse('sourceEventSeqs', 'may not be on an answer')
      if (sources.length === 0) refuse('sourceEventSeqs', 'must not be empty')
      if (new Set(sources).size !== sources.length) refuse('sourceEventSeqs', 'names an event twice')
      if (sources.some((source) => source >= event.seq)) refuse('sourceEventSeqs', 'must name earlier events')
    }
    if (!isJsonObject(op)) return
    for (const end of ['start', 'end']) {
      const seq = op[end]
      const isEarlier = Number.isSafeInteger(seq) && (seq as number) >= 0 && (seq as number) < event.seq
      if (!isEarlier || (this.#format === 2 && Object.is(seq, -0)))
        refuse(`surfaceOp.${end}`, 'must name an earlier event')
    }
    // The migration to format 2 writes the operation anew.
    if (this.#format < 2) return
    if (op.op !== 'replace') refuse('surfaceOp.op', 'must be replace')
    for (const member of Object.keys(op))
      if (!['op', 'start', 'end'].includes(member))
        refuse(`surfaceOp.${member}`, 'is no member of a replacement')
  }

  #upgraded(stored: MigratedEvent): MigratedEvent | undefined {
    const event = this.#early.upgrade(stored)
    if (typeof event !== 'string') return event
    this.#report(stored, 'early-shape', event)
    return undefined
  }

  #members(event: MigratedEvent): void {
    eventRefusals(event, this.#format, ({ area, targets, path, needs, kind }) => {
      const { type, seq, origin } = event
      const own = targets.filter((target) => target > this.#format)
      this.#visit({ area, targets: own, origin, seq, type, path, problem: needs, kind })
    })
  }

  // From format 1 to 2 ------------------------------------------------------------------------------------------------------

  #chunk(event: MigratedEvent): void {
    const data = isJsonObject(event.data) ? event.data : {}
    const { turn, step, chunk } = data
    if (chunk === undefined || chunk === null)
      this.#report(event, 'member-missing', 'is missing', { path: 'data.chunk' })
    else if (!isJsonObject(chunk))
      this.#report(event, 'member-value', 'must be an object', { targets: FROM_3, path: 'data.chunk' })
    else this.#streamed(event, chunk)
    const isFinish = isJsonObject(chunk) && chunk.type === 'finish'
    this.#chunks({ first: event.seq, count: 1, turn, step }, event.origin, isFinish)
    this.#lastChunk = event
  }

  /** Content that is streamed is judged where the stream is: on the way from format 2 to 3. */
  #streamed({ type, seq, origin }: MigratedEvent, chunk: JsonObject): void {
    if (chunk.type !== 'block-end' && chunk.type !== 'block-start') return
    const data = { turn: 1, step: 1, stream: [{ type: 'chunk', time: 0, chunk }] }
    eventRefusals({ type: 'assistant/attempt', seq, data }, 2, ({ area, targets, path, needs, kind }) => {
      const at = path.replace('data.stream[0].chunk', 'data.chunk')
      this.#visit({ area, targets, origin, seq, type, path: at, problem: needs, kind })
    })
  }

  #chunks(run: ChunkRun, origin: Origin, isFinish: boolean): void {
    const { first, count, turn, step } = run
    if (this.#format > 1) return
    this.#previous = undefined
    if (!this.#streams.continues(run)) this.#endAttempt(origin)
    const cut = this.#seedLength
    const isCut =
      cut !== undefined && (this.#streams.isCutBefore(cut, first) || first < cut !== first + count - 1 < cut)
    if (isCut) this.#refuseCut({ type: 'assistant/chunk', seq: first, origin })
    this.#streams.take({ first, count, turn, step }, isFinish)
    this.#openAtChunk = [this.#relations.turn, this.#relations.step]
  }

  #refuseCut(event: Pick<MigratedEvent, 'type' | 'seq' | 'origin'>): void {
    this.#report(event, 'stream-cut', 'belongs to an answer that the end of the inherited part cuts in two', {
      kind: 'belongs to an answer that is only partly inherited',
    })
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
    if (chunk?.seq === last && !isTime(chunk.time))
      this.#report(chunk, 'envelope', 'must be a whole number', { path: 'time' })
    const [openTurn, openStep] = this.#openAtChunk
    if (openTurn === undefined || openStep === undefined || turn !== openTurn || step !== openStep)
      this.#report({ ...event, type: 'assistant/chunk' }, 'turn', 'is of a turn and step that are not open')
    if (turn === 0 || step === 0)
      this.#report(
        { ...event, type: 'assistant/chunk' },
        'member-value',
        'must be a whole number from 1 on',
        { targets: FROM_3, path: turn === 0 ? 'data.turn' : 'data.step' },
      )
  }

  /** What an event does to turns and streams even when no migration knows it. */
  #passes(event: MigratedEvent): void {
    this.#previous = event
    this.#streams.next++
  }

  #toSecond(event: MigratedEvent): void {
    const data = isJsonObject(event.data) ? event.data : {}
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
        this.#emit(
          {
            ...event,
            type: 'turn/end',
            data: { turn, reason },
            surfaceOp: undefined,
            sourceEventSeqs: undefined,
          },
          { turn, reason },
        )
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
    const before = this.#previous
    if (this.#openStep !== undefined || typeof this.#openTurn !== 'number' || turn !== this.#openTurn + 1)
      return false
    if (before?.type !== 'agent/inbox/spliced' || !isJsonObject(before.data)) return false
    const { target, inserted } = before.data
    return target === 'next-turn' && Array.isArray(inserted) && inserted.length > 0
  }

  /** An upload mark of the log's own format names its session, unless it is inherited. */
  #ownMark(event: MigratedEvent, data: JsonObject): void {
    if (event.type !== 'session-log-deepseek/delivery-accepted') return
    if ((data.sessionFormatVersion ?? 0) !== this.#format || data.sessionId === this.#sessionId) return
    if (!(this.#hasParent && event.seq < (this.#seedLength ?? 0)))
      this.#report(event, 'upload-mark', 'is an upload mark of another session')
  }

  #answer(event: MigratedEvent, { turn, step }: JsonObject): void {
    const waiting = this.#streams.waiting
    const sources = event.sourceEventSeqs
    const refuse = (kind: string): void =>
      this.#report(event, 'answer-stream', kind, { path: 'sourceEventSeqs' })
    if (waiting !== undefined && (waiting.turn !== turn || waiting.step !== step))
      this.#endAttempt(event.origin)
    else if (sources === undefined) {
      if (waiting !== undefined) refuse('is missing: the answer must cite its streamed chunks')
    } else if (sources.length === 0) this.#endAttempt(event.origin)
    else if (!this.#streams.isStream(sources))
      refuse('must name exactly the streamed chunks of the answer, in order')
    else if (this.#seedLength !== undefined && this.#streams.isCutBefore(this.#seedLength, event.seq))
      this.#refuseCut(event)
    this.#streams.claim()
  }

  /** The marker that format 2 has at the end of the inherited part, where the log has none. */
  #ensureCut(seq: number, type: string, origin: Origin): void {
    const cut = this.#seedLength
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
    this.#relations.take(marker, this.#context(marker))
  }

  #emit(event: MigratedEvent, data: JsonObject): void {
    this.#ensureCut(event.seq, event.type, event.origin)
    if (event.type !== 'assistant/message') this.#noChunks(event, 'sourceEventSeqs', event.sourceEventSeqs)
    this.#references(event, data)
    this.#related(event)
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
      this.#report(event, 'reference', 'is no replacement', { path: 'surfaceOp' })
    const row = catalogued(type)
    if (row === undefined) return
    if (type === 'command/done' && data.sourceEventSeq !== undefined)
      this.#noChunks(event, 'data.sourceEventSeq', [data.sourceEventSeq])
    for (const list of ['shadowedSeqs', 'messageSeqs'])
      if (Array.isArray(data[list])) this.#noChunks(event, `data.${list}`, data[list] as readonly JsonValue[])
  }

  #noChunks(event: MigratedEvent, path: string, seqs: readonly (JsonValue | undefined)[] | undefined): void {
    for (const seq of seqs ?? []) {
      // The migration takes an event that cites itself along; the surface and the next one do not.
      const isMapped = Number.isSafeInteger(seq) && (seq as number) >= 0 && (seq as number) <= event.seq
      if (isMapped && !this.#streams.isChunk(seq as number)) continue
      const problem = isMapped
        ? `names seq ${seq}, a streamed chunk that format 2 does not have`
        : 'must name an earlier event'
      const kind = isMapped ? 'names a streamed chunk' : problem
      this.#report(event, 'reference', problem, { path, kind })
      return
    }
  }

  // From format 2 on --------------------------------------------------------------------------------------------------------

  #related(event: MigratedEvent): void {
    const data = isJsonObject(event.data) ? event.data : {}
    if (this.#format < 3) this.#toThird(event, data)
    if (event.type === 'session/end-seed' && data.inherited === true) this.#marker = event.seq
    this.#relations.take(event, this.#context(event))
  }

  #context({ seq }: MigratedEvent): RelationContext {
    return {
      sessionId: this.#sessionId,
      hasParent: this.#hasParent,
      migratedSeq:
        this.#format < 2 ? this.#streams.next + (this.#streams.waiting === undefined ? 0 : 1) : seq,
      isInherited:
        this.#seedLength !== undefined
          ? seq < this.#seedLength
          : this.#header.isSeeded === true && this.#marker === undefined,
    }
  }

  #toThird(event: MigratedEvent, data: JsonObject): void {
    const { type } = event
    const refuse = (area: 'before-first-step' | 'prompt-change' | 'seed-marker', problem: string): void =>
      this.#report(event, area, problem, { targets: FROM_3 })
    if (type === 'request/header') {
      const system = isJsonObject(data.header) ? data.header.system : undefined
      const prompt = typeof system === 'string' ? system : ''
      if (prompt !== this.#prompt) {
        if (!this.#inStep) refuse('prompt-change', 'changes the system prompt outside a step')
        this.#prompt = prompt
        this.#hasHead ||= this.#inStep
      }
    }
    if (isSurfaceEligibleType(type) && !this.#hasHead)
      refuse('before-first-step', 'is a message before the first step')
    if (
      type === 'session/end-seed' &&
      data.inherited === true &&
      this.#format === 2 &&
      this.#header.isSeeded === false
    )
      refuse('seed-marker', 'says that the session is inherited, and the header does not')
    if (
      type === 'session-log-deepseek/delivery-accepted' &&
      data.sessionFormatVersion === 2 &&
      data.sessionId !== this.#sessionId
    )
      this.#foreignMark = event
    if (type === 'step/start') {
      this.#inStep = true
      this.#hasHead = true
    } else if (type === 'step/end' || type === 'turn/end') this.#inStep = false
  }

  // The end --------------------------------------------------------------------------------------------------------------------

  finish(): void {
    const origin = this.#damage?.origin ?? { line: 1, byteOffset: 0 }
    const header = { type: 'session', origin: { line: 1, byteOffset: 0 } }
    if (this.#format < 2) {
      this.#endAttempt(origin)
      this.#ensureCut(Number.POSITIVE_INFINITY, 'the end', origin)
      if ((this.#seedLength ?? 0) > this.#rows.count)
        this.#visit({
          area: 'header',
          targets: this.#later,
          ...header,
          path: 'header.seedLength',
          problem: 'is more than the log has events',
          kind: 'member seedLength of the header is more than the log has events',
        })
    } else if (this.#header.isSeeded === true && this.#marker === undefined)
      this.#visit({
        area: 'seed-marker',
        targets: this.#later,
        ...header,
        path: 'header.isSeeded',
        problem: 'needs a marker at the end of the inherited part',
        kind: 'session without the marker of its inherited part',
      })
    const mark = this.#foreignMark
    if (this.#format === 2 && mark !== undefined && (!this.#hasParent || mark.seq >= (this.#marker ?? 0)))
      this.#report(mark, 'upload-mark', 'is an upload mark of another session', { targets: FROM_3 })
    this.#relations.finish()
  }
}

function isTime(time: JsonValue | undefined): boolean {
  return Number.isSafeInteger(time) && !Object.is(time, -0)
}
