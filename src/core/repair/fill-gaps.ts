/**
 * What the events around a gap prove to have been in it: brackets of turns and steps, the start of a call that has a
 * result, the result of a call that was started, the message that announced a call, the ends of a compaction. It is put
 * where it was, so nothing whole loses its place because of what is lost. What the log does not tell is not invented: a
 * result says that it is lost, and a message that announced calls holds these calls and nothing else.
 *
 * Events are numbered densely here; a gap lies before one of them. In formats whose readers enforce the brackets, they
 * are put in without a gap as well.
 */
import type { Dialect } from '../dialect/dialect.ts'
import { advertisedCalls, answeredCallId, messageOf, type SessionEvent } from '../event/session-event.ts'
import { NOT_STARTED } from '../event-types/closers.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { isCompactCheckpoint } from '../surface/surface-predicates.ts'
import { missingResult } from './closers.ts'
import { resultNote } from './exchange-notes.ts'
import { compactionEnd } from './open-compaction.ts'
import type { RowContext } from './row-mend.ts'

/** Missing seqs: the first, and the one after the last. */
export interface LostRange {
  readonly first: number
  readonly end: number
}

/** An event that is put in. */
export interface Filling {
  /** The event, densely numbered, that it comes before. */
  readonly before: number
  readonly type: string
  /** The lost seq that it had, where another event says so. */
  claimed?: number
  /** @param seq - its seq at last. @param of - the seq of another event at last. */
  readonly row: (seq: number, of: (event: EventRef) => number) => JsonObject
}

/** An event of the log by its dense number, or one that is put in. */
export type EventRef = number | Filling

export interface GapLoss extends LostRange {
  readonly before: number
  /** How many of the events are put in again. */
  readonly filled: number
  /** The turn and step that were open at the gap. */
  readonly turn: number | undefined
  readonly step: number | undefined
}

export interface FilledGaps {
  /** In the order in which they are to be put in; those before one event in the order of the list. */
  readonly fillings: readonly Filling[]
  readonly losses: readonly GapLoss[]
  /** Results whose calls are lost with all that they were, by their dense numbers: they are kept as text. */
  readonly orphans: ReadonlyMap<number, readonly JsonValue[]>
}

/** Lost seqs that events name. */
export interface LostReferences {
  /** By the dense number of the event that names them. */
  readonly by: ReadonlyMap<number, readonly number[]>
  /** Those that a replacement names: each of them was a message. */
  readonly messages: ReadonlySet<number>
}

interface Gap extends LostRange {
  readonly before: number
  readonly time: number
  readonly turn: number | undefined
  readonly step: number | undefined
  filled: number
}

interface Call {
  readonly callId: string
  readonly name: string
  readonly arguments: string
  readonly turn: JsonValue | undefined
  readonly step: JsonValue | undefined
  readonly announcedBy: EventRef
  startedBy?: EventRef
  /** Where the log has what proves the latest state of the call. */
  since: number
}

interface Compaction {
  readonly start: JsonObject
  since: number
  hasSummary: boolean
  hasCheckpoint: boolean
  /** Its start, where that was put in. */
  readonly filling?: Filling
  /** Its end, put in where a turn crosses it. */
  end?: Filling
}

/** No gap has proof of more brackets than this. */
const MOST_BRACKETS = 40

/** @param model - the model to name for a lost answer before any event has named one. */
export function fillGaps(
  gaps: ReadonlyMap<number, LostRange>,
  references: LostReferences,
  model?: RowContext['model'],
): Reducer<FilledGaps> {
  let filler: GapFiller | undefined
  return {
    on(step) {
      filler ??= new GapFiller(step, gaps, references, model)
      filler.take(step)
    },
    finish: () => filler?.finish() ?? { fillings: [], losses: [], orphans: new Map() },
  }
}

class GapFiller {
  readonly #dialect: Dialect
  readonly #sessionId: string
  readonly #isSeeded: boolean
  readonly #ranges: ReadonlyMap<number, LostRange>
  readonly #references: LostReferences
  readonly #gaps: Gap[] = []
  readonly #fillings: Filling[] = []
  readonly #calls = new Map<string, Call>()
  /** Results that are put in, by their call. */
  readonly #answers = new Map<string, LostResult>()
  /** Every call that was announced. */
  readonly #known = new Set<string>()
  readonly #orphans = new Map<number, readonly JsonValue[]>()
  readonly #dispatches = new Set<JsonValue | undefined>()
  #turn: number | undefined
  #step: number | undefined
  #lastTurn = 0
  #lastStep = 0
  /** The last event that showed which turn and step are open. */
  #shown = -1
  #time = 0
  #model: RowContext['model']
  /** The message that was put in for calls of this step. */
  #announcing: { readonly filling: Filling; readonly blocks: JsonObject[] } | undefined
  #compaction: Compaction | undefined
  #hasMarker = false

  constructor(
    { dialect, header }: ReplayStep,
    gaps: ReadonlyMap<number, LostRange>,
    references: LostReferences,
    model: RowContext['model'],
  ) {
    this.#model = model
    this.#dialect = dialect
    this.#sessionId = header?.id ?? ''
    this.#isSeeded = header?.isSeeded === true
    this.#ranges = gaps
    this.#references = references
  }

  take({ event }: ReplayStep): void {
    const { seq } = event
    const range = this.#ranges.get(seq)
    if (range !== undefined) {
      const open = { turn: this.#turn, step: this.#step }
      this.#gaps.push({ ...range, ...open, before: seq, time: this.#time, filled: 0 })
    }
    this.#on(event)
    this.#time = event.time
  }

  finish(): FilledGaps {
    this.#markSeed()
    for (const gap of this.#gaps) this.#claimMessages(gap)
    const order = new Map(this.#fillings.map((filling, index) => [filling, index]))
    const fillings = this.#fillings.toSorted(
      (a, b) => a.before - b.before || (order.get(a) as number) - (order.get(b) as number),
    )
    return { fillings, losses: this.#gaps.map(({ time: _time, ...loss }) => loss), orphans: this.#orphans }
  }

  #on(event: SessionEvent): void {
    const { type, seq } = event
    const data: JsonObject = isJsonObject(event.data) ? event.data : {}
    const [turn, step] = [data.turn, data.step].map((value) => (isCount(value) ? value : undefined))
    switch (type) {
      case 'turn/start':
        this.#beginTurn(turn, seq)
        return
      case 'turn/end':
        this.#endTurn(turn, seq)
        return
      case 'step/start':
        this.#beginStep(turn, step, seq)
        return
      case 'step/end':
        if (!this.#enter(turn, step, seq)) return
        this.#answerWaiting(seq)
        this.#closeStep()
        return
      case 'request/header':
        if (isJsonObject(data.header) && isJsonObject(data.header.config)) this.#useModel(data.header.config)
        return
      case 'request/context':
        this.#useModel(data)
        return
      case 'assistant/message':
        this.#enter(turn, step, seq)
        this.#onAnswer(event, turn, step)
        return
      case 'assistant/attempt':
      case 'assistant/chunk':
      case 'developer/message':
        this.#enter(turn, step, seq)
        return
      case 'system/message':
        this.#enter(turn, step, seq)
        this.#restoreHead(event)
        return
      case 'tool/call':
        if (this.#enter(turn, step, seq)) this.#onCall(data, seq)
        return
      case 'tool/result':
        if (event.surfaceOp !== 'append') this.#onRewrite(event)
        else if (this.#enter(turn, step, seq)) this.#onResult(event)
        return
      case 'tool/ptc-dispatch-start':
        this.#dispatches.add(data.subCallId)
        return
      case 'tool/ptc-dispatch':
        this.#onDispatch(data, seq)
        return
      case 'session/end-seed':
        this.#hasMarker ||= data.inherited === true
        this.#orphan()
        return
      default:
        if (type.startsWith('compaction/')) this.#onCompaction(type, data, seq)
        else if (isCompactCheckpoint(event)) this.#onCheckpoint(event)
    }
  }

  // Turns and steps --------------------------------------------------------------------------------------------------

  #beginTurn(turn: number | undefined, seq: number): void {
    if (turn === undefined) return
    if (this.#turn !== undefined || turn !== this.#lastTurn + 1) this.#enterTurn(turn, undefined, seq, true)
    this.#crossCompaction(seq)
    this.#turn = turn
    this.#step = undefined
    this.#lastStep = 0
    this.#calls.clear()
    this.#shown = seq
  }

  #endTurn(turn: number | undefined, seq: number): void {
    if (this.#enterTurn(turn, undefined, seq, false)) {
      if (this.#step !== undefined) {
        const place = this.#placeFor(1 + this.#calls.size, this.#shown, seq)
        if (place !== undefined) this.#putAll(place, this.#stepEnd(place, seq))
      }
    }
    this.#crossCompaction(seq)
    this.#closeTurn(turn)
    this.#shown = seq
  }

  #beginStep(turn: number | undefined, step: number | undefined, seq: number): void {
    if (turn === undefined || step === undefined) return
    const isDue = this.#turn === turn && this.#step === undefined && step === this.#lastStep + 1
    if (!isDue) this.#enter(turn, step, seq, true)
    this.#turn ??= turn
    this.#step = step
    this.#shown = seq
  }

  /** Opens the turn and step that an event names. @returns whether they are open now. */
  #enter(turn: number | undefined, step: number | undefined, seq: number, isStart = false): boolean {
    if (turn === undefined || step === undefined) return false
    const isOpen = this.#turn === turn && this.#step === step && !isStart
    const entered = isOpen || this.#enterTurn(turn, step, seq, isStart)
    if (entered) this.#shown = seq
    return entered
  }

  /**
   * Puts in what has to be between the state here and the turn and step that an event names.
   * @param isStart - the event itself opens them.
   */
  #enterTurn(turn: number | undefined, step: number | undefined, seq: number, isStart: boolean): boolean {
    if (turn === undefined) return false
    const isSame = this.#turn === turn && !(isStart && step === undefined)
    if (isSame && step === undefined) return true
    if (!isSame && turn <= this.#lastTurn) return false
    if (isSame && step !== undefined && (step <= this.#lastStep || step === this.#step)) return false
    const turnsBetween = isSame ? 0 : turn - this.#lastTurn - 1 - (this.#turn === undefined ? 0 : 1)
    const stepsBetween =
      step === undefined ? 0 : step - (isSame ? Math.max(this.#lastStep, this.#step ?? 0) : 0) - 1
    if (turnsBetween + stepsBetween > MOST_BRACKETS) return false
    const isLeaving = this.#turn !== undefined && !isSame
    const isEntering = !isSame && !(isStart && step === undefined)
    const brackets =
      2 * (turnsBetween + stepsBetween) +
      Number(this.#step !== undefined) +
      Number(isLeaving) +
      Number(isEntering) +
      Number(step !== undefined && !isStart)
    const place = this.#placeFor(brackets, this.#shown, seq)
    if (place === undefined) return false
    const put = (type: string, data: JsonObject): void => {
      this.#put(place, type, data)
    }
    if (!isSame) this.#crossCompaction(seq)
    if (!isSame && this.#turn !== undefined) {
      this.#putAll(place, this.#stepEnd(place, seq))
      put('turn/end', { turn: this.#turn, reason: { kind: 'interrupted' } })
      this.#closeTurn(this.#turn)
    }
    if (!isSame) {
      for (let between = this.#lastTurn + 1; between < turn; between++) {
        put('turn/start', { turn: between })
        put('turn/end', { turn: between, reason: { kind: 'interrupted' } })
      }
      this.#lastTurn = turn - 1
      this.#lastStep = 0
      if (step === undefined && isStart) return true
      put('turn/start', { turn })
      this.#turn = turn
      this.#step = undefined
    }
    if (step === undefined) return true
    if (this.#step !== undefined) {
      this.#putAll(place, this.#stepEnd(place, seq))
      this.#closeStep()
    }
    for (let between = this.#lastStep + 1; between < step; between++) {
      put('step/start', { turn, step: between })
      put('step/end', { turn, step: between })
    }
    this.#lastStep = step - 1
    if (!isStart) put('step/start', { turn, step })
    this.#step = step
    return true
  }

  /** The end of the open step, after the results that its calls wait for. */
  #stepEnd(place: Place, seq: number): readonly (readonly [string, JsonObject])[] {
    if (this.#step === undefined || this.#turn === undefined) return []
    for (const call of this.#calls.values()) this.#answer(call, this.#gapSince(call.since, seq) ?? place)
    this.#calls.clear()
    return [['step/end', { turn: this.#turn, step: this.#step }]]
  }

  #closeStep(): void {
    if (this.#step !== undefined) this.#lastStep = this.#step
    this.#step = undefined
    this.#calls.clear()
    this.#announcing = undefined
  }

  #closeTurn(turn: number | undefined): void {
    this.#lastTurn = turn ?? this.#lastTurn + 1
    this.#turn = undefined
    this.#step = undefined
    this.#lastStep = 0
    this.#calls.clear()
    this.#announcing = undefined
  }

  // Calls ------------------------------------------------------------------------------------------------------------

  #useModel({ provider, model }: JsonObject): void {
    if (isName(provider) && isName(model)) this.#model = { provider, model }
  }

  #onAnswer(event: SessionEvent, turn: number | undefined, step: number | undefined): void {
    const source = messageOf(event)?.source
    if (isJsonObject(source)) this.#useModel(source)
    this.#announcing = undefined
    for (const { id: callId, name, arguments: args } of advertisedCalls(event)) {
      const { seq } = event
      this.#known.add(callId)
      this.#calls.set(callId, { callId, name, arguments: args, turn, step, announcedBy: seq, since: seq })
    }
  }

  #onCall({ callId, name, arguments: args }: JsonObject, seq: number): void {
    if (!isName(callId)) return
    const known = this.#calls.get(callId)
    const call = known ?? this.#announce(callId, name, args, seq)
    if (call === undefined) return
    call.startedBy = seq
    call.since = seq
  }

  /** A call that was started was announced. The message that did it is lost, but for its calls. */
  #announce(
    callId: string,
    name: JsonValue | undefined,
    args: JsonValue | undefined,
    seq: number,
  ): Call | undefined {
    const { embeddedStreams } = this.#dialect.surface
    const [turn, step, model] = [this.#turn, this.#step, this.#model]
    if (!isName(name) || typeof args !== 'string' || turn === undefined || step === undefined)
      return undefined
    if (this.#announcing === undefined) {
      const place = model === undefined ? undefined : this.#gapInStep(seq)
      if (place === undefined) return undefined
      const blocks: JsonObject[] = []
      const filling = this.#add(place, 'assistant/message', (own) => ({
        data: {
          turn,
          step,
          message: {
            id: `repaired-message:${this.#sessionId}:${own}`,
            role: 'assistant',
            content: blocks,
            source: { kind: 'model', ...model },
          },
          ...(embeddedStreams && { stream: [] }),
        },
        surfaceOp: 'append',
      }))
      this.#announcing = { filling, blocks }
    }
    const { filling, blocks } = this.#announcing
    blocks.push({ type: 'tool-call', id: callId, name, arguments: args })
    const call: Call = {
      callId,
      name,
      arguments: args,
      turn,
      step,
      announcedBy: filling,
      since: filling.before - 1,
    }
    this.#calls.set(callId, call)
    this.#known.add(callId)
    return call
  }

  #onResult(event: SessionEvent): void {
    const callId = answeredCallId(event)
    const call = callId === undefined ? undefined : this.#calls.get(callId)
    if (call === undefined) {
      const isLost = this.#gaps.length > 0 && callId !== undefined && !this.#known.has(callId)
      if (isLost || this.#dialect.relations) this.#orphans.set(event.seq, resultNote(event))
      return
    }
    this.#calls.delete(call.callId)
    if (call.startedBy !== undefined || isNotStarted(event)) return
    const place = this.#gapSince(call.since, event.seq) ?? this.#enforcedPlace(event.seq)
    if (place === undefined) return
    const { turn, step, name, arguments: args } = call
    const data = { turn, step, callId: call.callId, name, arguments: args } as JsonObject
    const filling = this.#put(place, 'tool/call', data)
    const [claimed] = this.#references.by.get(event.seq) ?? []
    if (claimed !== undefined) filling.claimed = claimed
  }

  /** A rewrite says everything about the lost result that it rewrites, but for its content. */
  #onRewrite(event: SessionEvent): void {
    const callId = answeredCallId(event)
    const answer = callId === undefined ? undefined : this.#answers.get(callId)
    if (answer !== undefined && isJsonObject(event.data)) answer.rewrite ??= event.data
    const op: JsonObject = isJsonObject(event.surfaceOp) ? (event.surfaceOp as JsonObject) : {}
    const target = op[this.#dialect.surface.start]
    if (isCount(target) && this.#orphans.has(target)) this.#orphans.set(event.seq, resultNote(event))
  }

  /** Results that were lost in a gap, for the calls that wait when their step ends. */
  #answerWaiting(seq: number): void {
    for (const call of this.#calls.values()) {
      const gap = this.#gapSince(call.since, seq)
      if (gap !== undefined) this.#answer(call, gap)
    }
  }

  #answer(call: Call, place: Place): void {
    const { startedBy } = call
    const answer: LostResult = {}
    this.#answers.set(call.callId, answer)
    this.#add(place, 'tool/result', (seq, of) => {
      const started = startedBy === undefined ? {} : { startedAt: of(startedBy) }
      const pending = { callId: call.callId, turn: call.turn, step: call.step, ...started }
      const result = missingResult(call.turn, pending, seq, place.time, this.#dialect)
      const { data, surfaceOp, sourceEventSeqs } = result
      const told = answer.rewrite === undefined ? data : likeRewrite(answer.rewrite, data)
      return { data: told, surfaceOp, ...(sourceEventSeqs && { sourceEventSeqs }) } as JsonObject
    })
  }

  /** A dispatch that was settled was started; the two say the same. */
  #onDispatch(data: JsonObject, seq: number): void {
    const { subCallId } = data
    if (this.#dispatches.has(subCallId)) return
    this.#dispatches.add(subCallId)
    const place = this.#gapSince(this.#shown, seq)
    if (place === undefined) return
    const { rootCallId, parentCallId, name, arguments: args } = data
    const start = { rootCallId, parentCallId, subCallId, name, arguments: args } as JsonObject
    this.#put(place, 'tool/ptc-dispatch-start', start)
  }

  /** A system prompt that rewrites a lost one needs it at the head of the surface; its text is lost. */
  #restoreHead(event: SessionEvent): void {
    const lost = this.#references.by.get(event.seq)?.[0]
    if (lost === undefined || !isJsonObject(event.data)) return
    const gap = this.#gaps.find(({ first, end }) => first <= lost && lost < end)
    const source = messageOf(event)?.source
    if (gap === undefined || source === undefined) return
    const [turn, step] = [gap.turn ?? event.data.turn, gap.step ?? event.data.step]
    const filling = this.#add(gap, 'system/message', (own) => ({
      data: {
        turn,
        step,
        message: { id: `repaired-message:${this.#sessionId}:${own}`, role: 'system', source, content: [] },
      } as JsonObject,
      surfaceOp: 'append',
    }))
    filling.claimed = lost
  }

  // Compactions ------------------------------------------------------------------------------------------------------

  #onCompaction(type: string, data: JsonObject, seq: number): void {
    if (type === 'compaction/start') {
      this.#crossCompaction(seq)
      this.#compaction = { start: data, since: seq, hasSummary: false, hasCheckpoint: false }
      return
    }
    if (type !== 'compaction/summary' && type !== 'compaction/end') return
    this.#openCompaction(data, seq)
    const open = this.#compaction
    if (open === undefined || open.start.compactionId !== data.compactionId) return
    open.since = seq
    if (type === 'compaction/summary') open.hasSummary = true
    else this.#endCompaction(open, data.turn ?? null, seq)
  }

  /** The end of a compaction says in which turn it began; outside of one, the turn before has ended. */
  #endCompaction({ start, filling }: Compaction, turn: JsonValue, seq: number): void {
    this.#compaction = undefined
    if (filling === undefined || start.turn === turn) return
    ;(start as Record<string, JsonValue>).turn = turn
    if (turn !== null || this.#turn === undefined) return
    const gap = this.#gaps.find(({ before }) => before === filling.before)
    const place: Place = gap ?? { before: filling.before, time: this.#time }
    const after = this.#fillings.splice(this.#fillings.indexOf(filling))
    this.#putAll(place, this.#stepEnd(place, seq))
    this.#put(place, 'turn/end', { turn: this.#turn, reason: { kind: 'interrupted' } })
    for (const filling of after) this.#fillings.push(filling)
    this.#closeTurn(this.#turn)
  }

  #onCheckpoint(event: SessionEvent): void {
    const source = messageOf(event)?.source
    if (!isJsonObject(source)) return
    this.#openCompaction(source, event.seq)
    const open = this.#compaction
    if (open === undefined || open.start.compactionId !== source.compactionId) return
    open.hasCheckpoint = true
    open.since = event.seq
  }

  /** What belongs to a compaction proves its start. */
  #openCompaction({ compactionId, sourceCommandId }: JsonObject, seq: number): void {
    if (!isName(compactionId) || this.#compaction?.start.compactionId === compactionId) return
    const place = this.#gapSince(this.#shown, seq)
    if (place === undefined) return
    const start: Record<string, JsonValue> = {
      compactionId,
      ...(sourceCommandId !== undefined && { sourceCommandId }),
      turn: this.#turn ?? null,
    }
    const filling = this.#put(place, 'compaction/start', start)
    this.#compaction = { start, since: seq, hasSummary: false, hasCheckpoint: false, filling }
  }

  /** A compaction that something crosses has ended before; where it brought no summary, with an error. */
  #crossCompaction(seq: number): void {
    const open = this.#compaction
    if (open === undefined || open.end !== undefined) return
    const place = this.#gapSince(open.since, seq) ?? this.#enforcedPlace(seq)
    if (place === undefined) return
    const data = compactionEnd(open.start, open.hasSummary && open.hasCheckpoint)
    open.end = this.#put(place, 'compaction/end', data)
  }

  /** A marker of a resume sets the latest compaction aside, so it needs no end. */
  #orphan(): void {
    const end = this.#compaction?.end
    if (end !== undefined) {
      const gap = this.#gaps.find(({ before }) => before === end.before)
      this.#fillings.splice(this.#fillings.indexOf(end), 1)
      if (gap !== undefined) gap.filled--
    }
    this.#compaction = undefined
  }

  /** A log that says it has an inherited part had the marker that ends it. */
  #markSeed(): void {
    if (!this.#isSeeded || this.#hasMarker) return
    const gap = this.#gaps.find(({ turn }) => turn === undefined) ?? this.#gaps[0]
    if (gap !== undefined) this.#put(gap, 'session/end-seed', { inherited: true })
  }

  /** The messages that are put into a gap are those that replacements say were in it, if they are as many. */
  #claimMessages({ first, end, before }: Gap): void {
    const put = this.#fillings.filter(
      (filling) => filling.before === before && this.#dialect.surface.types.has(filling.type),
    )
    const free = put.filter(({ claimed }) => claimed === undefined)
    const taken = new Set(put.map(({ claimed }) => claimed))
    const lost = [...this.#references.messages].filter((seq) => first <= seq && seq < end && !taken.has(seq))
    if (lost.length !== free.length) return
    for (const [index, seq] of lost.toSorted((a, b) => a - b).entries())
      (free[index] as Filling).claimed = seq
  }

  // Places -----------------------------------------------------------------------------------------------------------

  /** The gap that has room for so many events, or where readers enforce them the place before the event. */
  #placeFor(count: number, since: number, seq: number): Place | undefined {
    const gaps = this.#gapsSince(since, seq)
    const roomy = gaps.find((gap) => roomIn(gap) >= count)
    if (roomy !== undefined || !this.#dialect.relations) return roomy
    return largest(gaps) ?? this.#enforcedPlace(seq)
  }

  #gapSince(since: number, seq: number): Gap | undefined {
    const gaps = this.#gapsSince(since, seq)
    return gaps.find((gap) => roomIn(gap) > 0) ?? gaps[0]
  }

  /** A gap in the open step: after what opened it. */
  #gapInStep(seq: number): Gap | undefined {
    const gaps = this.#gaps.filter(({ before }) => before <= seq)
    return gaps.findLast(({ turn, step }) => turn === this.#turn && step === this.#step) ?? gaps.at(-1)
  }

  #gapsSince(since: number, seq: number): readonly Gap[] {
    const gaps: Gap[] = []
    for (let index = this.#gaps.length - 1; index >= 0; index--) {
      const gap = this.#gaps[index] as Gap
      if (gap.before <= since) break
      if (gap.before <= seq) gaps.unshift(gap)
    }
    return gaps
  }

  #enforcedPlace(seq: number): Place | undefined {
    return this.#dialect.relations ? { before: seq, time: this.#time } : undefined
  }

  #putAll(place: Place, events: readonly (readonly [string, JsonObject])[]): void {
    for (const [type, data] of events) this.#put(place, type, data)
  }

  #put(place: Place, type: string, data: JsonObject): Filling {
    return this.#add(place, type, () => ({ data }))
  }

  #add(
    place: Place,
    type: string,
    rest: (seq: number, of: (event: EventRef) => number) => JsonObject,
  ): Filling {
    const { before, time } = place
    const row: Filling['row'] = (seq, of) => ({ type, seq, time, ...rest(seq, of) })
    const filling: Filling = { before, type, row }
    this.#fillings.push(filling)
    if ('filled' in place) (place as Gap).filled++
    return filling
  }
}

/** What a lost result was, as far as a rewrite of it tells. */
interface LostResult {
  rewrite?: JsonObject
}

/** The data of a rewrite with the content that says that the original one is lost. */
function likeRewrite(rewrite: JsonObject, lost: JsonValue): JsonObject {
  const message: JsonObject = isJsonObject(rewrite.message) ? rewrite.message : {}
  const said = isJsonObject(lost) && isJsonObject(lost.message) ? lost.message.content : undefined
  const content = message.role === 'tool' ? said : withInner(message.content, said)
  return { ...rewrite, message: { ...message, content: content ?? [] } }
}

function withInner(content: JsonValue | undefined, lost: JsonValue | undefined): JsonValue {
  const [wrapper] = Array.isArray(content) ? content.filter(isJsonObject) : []
  const [said] = Array.isArray(lost) ? lost.filter(isJsonObject) : []
  return [{ ...wrapper, content: said?.content ?? [] }] as JsonValue
}

type Place = Pick<Gap, 'before' | 'time'>

function roomIn({ first, end, filled }: Gap): number {
  return end - first - filled
}

function largest(gaps: readonly Gap[]): Gap | undefined {
  return gaps.toSorted((a, b) => roomIn(b) - roomIn(a))[0]
}

function isNotStarted({ data }: SessionEvent): boolean {
  const error = isJsonObject(data) ? data.error : undefined
  return isJsonObject(error) && error.code === NOT_STARTED.error.code
}
