/**
 * What the events around a gap prove to have been in it: brackets of turns and steps here, calls and results in
 * `lost-calls.ts`, answers that were streamed in `streamed-answers.ts`, compactions in `lost-compactions.ts`, and what else
 * has to have begun in `lost-beginnings.ts`. It is put where it was, so nothing whole loses its place because of what is
 * lost. What the log does not tell is not invented.
 *
 * In formats whose readers enforce the brackets, they are put in without a gap as well.
 */
import type { Dialect } from '../dialect/dialect.ts'
import { answeredCallId, messageOf, type SessionEvent } from '../event/session-event.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { isCompactCheckpoint } from '../surface/surface-predicates.ts'
import { type Filling, type GapLoss, Gaps, type LostRange, type NeededMessage, type Place } from './gaps.ts'
import { repairedMessageId } from './identity-patches.ts'
import { LostBeginnings } from './lost-beginnings.ts'
import { LostCalls } from './lost-calls.ts'
import { LostCompactions } from './lost-compactions.ts'
import type { RowContext } from './row-mend.ts'
import { StreamedAnswers } from './streamed-answers.ts'

export interface FilledGaps {
  /** In the order in which they are to be put in. */
  readonly fillings: readonly Filling[]
  readonly losses: readonly GapLoss[]
  /** Results whose calls are lost with all that they were, by their dense numbers: they are kept as text. */
  readonly orphans: ReadonlyMap<number, readonly JsonValue[]>
  /** Lost events, and the dense numbers of those that are in their place. */
  readonly standIns: ReadonlyMap<number, number>
}

/** Lost seqs that events name. */
export interface LostReferences {
  /** By the dense number of the event that names them. */
  readonly by: ReadonlyMap<number, readonly number[]>
  /** Those that a replacement names: each of them was a message. */
  readonly messages: ReadonlySet<number>
  /** What a title or a summary is made from, by the dense number of the event, where all of it is lost. */
  readonly needed: ReadonlyMap<number, NeededMessage>
}

/** No gap has proof of more brackets than this. */
const MOST_BRACKETS = 40

type Bracket = readonly [type: string, data: JsonObject]

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
    finish: () => filler?.finish() ?? { fillings: [], losses: [], orphans: new Map(), standIns: new Map() },
  }
}

class GapFiller {
  readonly #sessionId: string
  readonly #isSeeded: boolean
  readonly #references: LostReferences
  readonly #gaps: Gaps
  readonly #calls: LostCalls
  /** Of formats that log what was streamed. */
  readonly #answers: StreamedAnswers | undefined
  readonly #compactions: LostCompactions
  readonly #beginnings: LostBeginnings
  #turn: number | undefined
  /** Open only in a turn. */
  #step: number | undefined
  #lastTurn = 0
  #lastStep = 0
  /** The last event that showed which turn and step are open. */
  #shown = -1
  #hasMarker = false
  /** The result that the event before prunes. */
  #pruned: number | undefined
  /** The latest result of each call. */
  readonly #results = new Map<string, number>()
  readonly #standIns = new Map<number, number>()

  constructor(
    { dialect, header }: { readonly dialect: Dialect; readonly header: ReplayStep['header'] },
    gaps: ReadonlyMap<number, LostRange>,
    references: LostReferences,
    model: RowContext['model'],
  ) {
    this.#sessionId = header?.id ?? ''
    this.#isSeeded = header?.isSeeded === true
    this.#references = references
    this.#gaps = new Gaps(gaps, dialect)
    this.#calls = new LostCalls(this.#gaps, dialect, this.#sessionId, references.by, model)
    this.#answers = dialect.version < 2 ? new StreamedAnswers() : undefined
    this.#beginnings = new LostBeginnings(this.#gaps, dialect, this.#sessionId, model)
    this.#compactions = new LostCompactions(this.#gaps, {
      dialect,
      sessionId: this.#sessionId,
      messages: references.messages,
      model: () => this.#beginnings.model,
    })
  }

  finish(): FilledGaps {
    this.#markSeed()
    this.#gaps.claimMessages(this.#references.messages)
    for (const needed of this.#references.needed.values()) this.#beginnings.restoreMessage(needed)
    const losses = this.#gaps.met.map(({ time: _time, ...loss }) => loss)
    return { fillings: this.#gaps.fillings(), losses, orphans: this.#calls.orphans, standIns: this.#standIns }
  }

  take({ event, effect }: ReplayStep): void {
    const gap = this.#gaps.meet(event, { turn: this.#turn, step: this.#step })
    const answer = this.#answers?.take(event, gap !== undefined)
    if (gap !== undefined && answer !== undefined) this.#calls.restore(answer, gap)
    const { type, seq } = event
    if (this.#pruned !== undefined) this.#keepPruned(this.#pruned, seq)
    this.#pruned = undefined
    this.#beginnings.take(event, this.#shown)
    const data: JsonObject = objectIn(event.data)
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
        this.#calls.answerWaiting(seq)
        this.#closeStep()
        return
      case 'request/header':
        if (isJsonObject(data.header) && isJsonObject(data.header.config))
          this.#calls.useModel(data.header.config)
        return
      case 'request/context':
        this.#calls.useModel(data)
        return
      case 'assistant/message':
        this.#enter(turn, step, seq)
        this.#calls.onMessage(event, turn, step)
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
        if (this.#enter(turn, step, seq))
          this.#calls.onCall(data, seq, { turn: this.#turn, step: this.#step })
        return
      case 'tool/result':
        this.#keepRewritten(event)
        if (event.surfaceOp !== 'append') this.#calls.onRewrite(event)
        else if (this.#enter(turn, step, seq)) this.#calls.onResult(event)
        return
      case 'compaction/prune':
        this.#pruned = prunedBy(data)
        return
      case 'compaction/start':
        this.#compactions.onStart(data, seq)
        return
      case 'compaction/summary':
        this.#compactions.onSummary(data, this.#turn, this.#shown, seq)
        return
      case 'compaction/end':
        this.#endTurnBefore(this.#compactions.onEnd(data, this.#turn, this.#shown, seq), seq)
        return
      case 'session/end-seed':
        this.#hasMarker ||= data.inherited === true
        this.#compactions.orphan()
        return
      default:
        if (isCompactCheckpoint(event)) this.#compactions.onCheckpoint(event, effect, this.#turn, this.#shown)
    }
  }

  // Turns and steps --------------------------------------------------------------------------------------------------

  #beginTurn(turn: number | undefined, seq: number): void {
    if (turn === undefined) return
    if (this.#turn !== undefined || turn !== this.#lastTurn + 1) this.#enterTurn(turn, undefined, seq, true)
    this.#compactions.cross(seq)
    this.#turn = turn
    this.#step = undefined
    this.#lastStep = 0
    this.#calls.clear()
    this.#shown = seq
  }

  #endTurn(turn: number | undefined, seq: number): void {
    if (this.#enterTurn(turn, undefined, seq, false) && this.#step !== undefined) {
      const place = this.#gaps.placeFor(1 + this.#calls.waiting, this.#shown, seq)
      if (place !== undefined) this.#endStep(place, seq)
    }
    this.#compactions.cross(seq)
    this.#closeTurn(turn ?? this.#lastTurn + 1)
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
    const lastTurn = this.#turn ?? this.#lastTurn
    const lastStep = isSame ? Math.max(this.#lastStep, this.#step ?? 0) : 0
    const distance = (isSame ? 0 : turn - lastTurn - 1) + (step === undefined ? 0 : step - lastStep - 1)
    if (distance > MOST_BRACKETS) return false
    const opened: Bracket[] = []
    if (!isSame) {
      for (let between = lastTurn + 1; between < turn; between++)
        opened.push(['turn/start', { turn: between }], turnEnd(between))
      if (step !== undefined || !isStart) opened.push(['turn/start', { turn }])
    }
    for (let between = lastStep + 1; step !== undefined && between < step; between++)
      opened.push(['step/start', { turn, step: between }], ['step/end', { turn, step: between }])
    if (step !== undefined && !isStart) opened.push(['step/start', { turn, step }])
    const closed = Number(this.#step !== undefined) + Number(!isSame && this.#turn !== undefined)
    const place = this.#gaps.placeFor(opened.length + closed, this.#shown, seq)
    if (place === undefined) return false
    if (!isSame) this.#compactions.cross(seq)
    this.#endStep(place, seq)
    if (!isSame) {
      if (this.#turn !== undefined) this.#put(place, [turnEnd(this.#turn)])
      this.#closeTurn(turn - 1)
    }
    this.#put(place, opened)
    if (step === undefined && isStart) return true
    this.#turn = turn
    if (step === undefined) return true
    this.#lastStep = step - 1
    this.#step = step
    return true
  }

  /** Ends the open step, after the results that its calls wait for. */
  #endStep(place: Place, seq: number): void {
    if (this.#step === undefined || this.#turn === undefined) return
    this.#calls.answerWaiting(seq, place)
    this.#put(place, [['step/end', { turn: this.#turn, step: this.#step }]])
    this.#closeStep()
  }

  /** A compaction outside of turns began after the turn that is open here had ended. */
  #endTurnBefore(start: Filling | undefined, seq: number): void {
    const turn = this.#turn
    if (start === undefined || turn === undefined) return
    const place = this.#gaps.placeOf(start)
    this.#gaps.addBefore(start, () => {
      this.#endStep(place, seq)
      this.#put(place, [turnEnd(turn)])
    })
    this.#closeTurn(turn)
  }

  #closeStep(): void {
    if (this.#step !== undefined) this.#lastStep = this.#step
    this.#step = undefined
    this.#calls.clear()
  }

  #closeTurn(turn: number): void {
    this.#closeStep()
    this.#lastTurn = turn
    this.#lastStep = 0
    this.#turn = undefined
  }

  #put(place: Place, brackets: readonly Bracket[]): void {
    for (const [type, data] of brackets) this.#gaps.put(place, type, data)
  }

  // What belongs to no step ------------------------------------------------------------------------------------------

  /** Where the rewrite of a pruned result is lost, the result itself is what later events mean. */
  #keepPruned(result: number, seq: number): void {
    const gap = this.#gaps.met.at(-1)
    if (gap?.before === seq) this.#standIns.set(gap.first, result)
  }

  /** A rewrite of a lost rewrite means the result that is left. */
  #keepRewritten(event: SessionEvent): void {
    const callId = answeredCallId(event)
    if (callId === undefined) return
    const result = this.#results.get(callId)
    const [lost] = this.#references.by.get(event.seq) ?? []
    if (lost !== undefined && result !== undefined && this.#references.messages.has(lost))
      this.#standIns.set(lost, result)
    this.#results.set(callId, event.seq)
  }

  /** A system prompt that rewrites a lost one needs it at the head of the surface; its text is lost. */
  #restoreHead(event: SessionEvent): void {
    const lost = this.#references.by.get(event.seq)?.[0]
    if (lost === undefined || !isJsonObject(event.data)) return
    const gap = this.#gaps.met.find(({ first, end }) => first <= lost && lost < end)
    const source = messageOf(event)?.source
    if (gap === undefined || source === undefined) return
    const [turn, step] = [gap.turn ?? event.data.turn, gap.step ?? event.data.step]
    const filling = this.#gaps.add(gap, 'system/message', (own) => ({
      data: {
        turn,
        step,
        message: { id: repairedMessageId(this.#sessionId, own), role: 'system', source, content: [] },
      } as JsonObject,
      surfaceOp: 'append',
    }))
    filling.claimed = lost
  }

  /** A log that says it has an inherited part had the marker that ends it. */
  #markSeed(): void {
    if (!this.#isSeeded || this.#hasMarker) return
    const gap = this.#gaps.met.find(({ turn }) => turn === undefined) ?? this.#gaps.met[0]
    if (gap !== undefined) this.#gaps.put(gap, 'session/end-seed', { inherited: true })
  }
}

function prunedBy({ shadowedSeqs: seqs }: JsonObject): number | undefined {
  return Array.isArray(seqs) && seqs.length === 1 && isCount(seqs[0]) ? seqs[0] : undefined
}

function turnEnd(turn: number): Bracket {
  return ['turn/end', { turn, reason: { kind: 'interrupted' } }]
}
