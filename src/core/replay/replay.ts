/**
 * The one replay. It drives the surface and the turn cursor over the events of a log, in order, and shows every
 * event to the reducers. It is lenient: an event that a surface rule refuses becomes a finding, leaves the surface
 * alone, and the replay goes on; a finding that follows from a refused event says so.
 */
import { dialectOf } from '../dialect/dialect.ts'
import type { SessionEvent, SessionHeader } from '../event/session-event.ts'
import { TextList } from '../event/text-list.ts'
import type { Texts } from '../event/texts.ts'
import { type Finding, type FindingSink, findingOf } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { JsonObject } from '../json/json-value.ts'
import { type SurfaceEffect, SurfaceManager } from '../surface/surface-manager.ts'
import type { SurfaceViolation } from '../surface/surface-rules.ts'
import { DELTA_TYPE, type DeltaRun } from './delta-run.ts'
import type { Gap, PlacedGap } from './gap.ts'
import type { Reducer, ReplayEnd, ReplayStep } from './reducer.ts'
import { nameOf, TurnCursor } from './turn-cursor.ts'

const LOG_ONLY: SurfaceEffect = { kind: 'log-only' }

/** The replay of one log: `begin`, `push` for every event, `end`. */
export class Replay {
  #header: SessionHeader | undefined
  #dialect = dialectOf(undefined)
  #manager: SurfaceManager
  #cursor = new TurnCursor()
  readonly #reducers: readonly Reducer[]
  /** Those that look at events of a type, for every type that one of them names; and those that look at all others. */
  readonly #byType: ReadonlyMap<string, readonly Reducer[]>
  readonly #ofOthers: readonly Reducer[]
  readonly #report: FindingSink
  readonly #makeTexts: () => Texts
  /** Refused surface events: a later replacement that names one fails because of it. */
  readonly #refused = new Map<number, Finding>()
  #last: ReplayEnd['last']
  #eventCount = 0
  /** Latest time of all events. */
  #latest = 0

  /** @param makeTexts - a list for what is long and hardly ever asked for. */
  constructor(
    reducers: readonly Reducer[],
    report: FindingSink,
    makeTexts: () => Texts = () => new TextList(),
  ) {
    this.#makeTexts = makeTexts
    this.#manager = new SurfaceManager(this.#dialect, makeTexts())
    this.#reducers = reducers
    const named = new Set(reducers.flatMap(({ types }) => [...(types ?? [])]))
    const lookingAt = (type: string) => reducers.filter(({ types }) => types === undefined || types.has(type))
    this.#byType = new Map([...named].map((type) => [type, lookingAt(type)]))
    this.#ofOthers = reducers.filter(({ types }) => types === undefined)
    this.#report = report
  }

  /** Takes the header, before the first event. A log without one is read as format 0. */
  begin(header: SessionHeader): void {
    this.#header = header
    this.#dialect = dialectOf(header.version)
    this.#manager = new SurfaceManager(this.#dialect, this.#makeTexts())
    this.#cursor = new TurnCursor(this.#dialect)
  }

  /** Takes the next event. Seqs must rise; a gap is the reader's finding, and the replay passes over it. */
  push(event: SessionEvent, origin: Origin): void {
    const manager = this.#manager
    if (event.seq > manager.expectedSeq) manager.skipTo(event.seq)
    const plan = manager.plan(event)
    let effect = LOG_ONLY
    let refusal: Finding | undefined
    if (plan.kind === 'violation') {
      refusal = this.#refuse(event, origin, plan)
      manager.skipTo(event.seq + 1)
    } else effect = manager.commit(event, plan)

    const cursor = this.#cursor
    const { turn, step: openedStep, openTurn, openStep } = cursor
    const before = { turn: nameOf(turn), step: nameOf(openedStep), openTurn, openStep }
    const change = cursor.advance(event)
    const step: ReplayStep = {
      header: this.#header,
      dialect: this.#dialect,
      event,
      origin,
      effect,
      refusal,
      surface: manager.surface,
      before,
      cursor,
      change,
    }
    for (const reducer of this.#byType.get(event.type) ?? this.#ofOthers) reducer.on(step)
    this.#last = { event, origin }
    this.#latest = Math.max(this.#latest, event.time)
    this.#eventCount++
  }

  /** Takes a gap that lies before the next event. */
  gap(gap: Gap): void {
    const { openTurn: turn, openStep: step } = this.#cursor
    const placed: PlacedGap = {
      ...gap,
      ...(turn !== undefined && { turn }),
      ...(step !== undefined && { step }),
    }
    const state = {
      surface: this.#manager.surface,
      time: this.#last?.event.time ?? this.#header?.createdAt ?? 0,
    }
    for (const reducer of this.#reducers) reducer.onGap?.(placed, state)
  }

  /** Whether every reducer takes streamed deltas as runs. */
  get takesRuns(): boolean {
    return this.#reducers.every(({ onDeltas }) => onDeltas !== undefined)
  }

  /**
   * Takes the next events as a run, when nothing about them can be wrong: they are due, name the open turn and step,
   * and time does not go back with them. @returns whether it was taken; otherwise they are to be pushed one by one.
   */
  takeRun(run: DeltaRun, origin: Origin): boolean {
    const cursor = this.#cursor
    const { first, count, turn, step, firstTime, lastTime } = run
    const isDue = first === this.#manager.expectedSeq && firstTime >= this.#latest
    if (!isDue || cursor.openTurn !== turn || cursor.openStep !== step) return false
    for (const reducer of this.#reducers) reducer.onDeltas?.(run, { header: this.#header })
    const seq = first + count - 1
    this.#manager.skipTo(seq + 1)
    this.#latest = lastTime
    // What comes after asks for its seq and time alone.
    this.#last = { event: { type: DELTA_TYPE, seq, time: lastTime, data: { turn, step } }, origin }
    this.#eventCount += count
    return true
  }

  /** The state after the last event. */
  end(): ReplayEnd {
    return {
      header: this.#header,
      dialect: this.#dialect,
      surface: this.#manager.surface,
      cursor: this.#cursor,
      last: this.#last,
      eventCount: this.#eventCount,
    }
  }

  #refuse(event: SessionEvent, origin: Origin, violation: SurfaceViolation): Finding {
    const { code, args } = violation
    const { start, end, target }: JsonObject = args
    const cause = [start, end, target]
      .map((seq) => (typeof seq === 'number' ? this.#refused.get(seq) : undefined))
      .find((finding) => finding !== undefined)
    const finding = findingOf(code, args, { origin, seq: event.seq, ...(cause && { causedBy: cause }) })
    this.#refused.set(event.seq, finding)
    this.#report(finding)
    return finding
  }
}
