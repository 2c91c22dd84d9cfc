/**
 * A live session for library users: the strict counterpart of the inspecting commands. Every seed event and every
 * append passes the same boundary; a refused one leaves nothing changed.
 */
import { decodeEnvelope } from '../event/decode-envelope.ts'
import { messageFinding } from '../event/decode-message.ts'
import type { SessionEvent, SurfaceOp } from '../event/session-event.ts'
import { retiredVocabulary } from '../event/upgrade-legacy.ts'
import { describe } from '../findings/describe.ts'
import { type Finding, findingOf } from '../findings/finding.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { isLosslessJson } from '../json/lossless-json.ts'
import type { SessionSurface } from '../surface/session-surface.ts'
import { SurfaceManager } from '../surface/surface-manager.ts'
import { isUnmarkedLog, markedAsAppend } from '../surface/unmarked-log.ts'
import { deriveEventMessage } from './derive-messages.ts'

/** Event types that produce a model message and so need a {@link SurfaceIntent}. */
export type SurfaceEventType = 'user/message' | 'assistant/message' | 'tool/result' | 'context/message'

/** How an event joins the surface, and what it was built from. */
export interface SurfaceIntent {
  readonly surfaceOp: SurfaceOp
  readonly sourceEventSeqs?: readonly number[]
}

/** What a session begins with. */
export interface SessionOptions {
  /** Events to start from, in order, with seqs from 0. */
  readonly seed?: readonly SessionEvent[]
  /** What to do with a seed in which no event carries a surface marker: refuse it, or read all as appended. */
  readonly legacy?: 'refuse' | 'append'
  /** Clock for the `time` of appended events, in milliseconds. */
  readonly now: () => number
}

/** Thrown when the boundary refuses an event. The session is as it was before. */
export class RefusedEventError extends Error {
  readonly finding: Finding

  constructor(finding: Finding) {
    super(describe(finding))
    this.name = 'RefusedEventError'
    this.finding = finding
  }
}

/** A session in memory that takes what DSH takes, and refuses the rest with nothing changed. */
export class Session {
  readonly #manager = new SurfaceManager()
  readonly #events: SessionEvent[] = []
  readonly #now: () => number

  /** @throws {RefusedEventError} when a seed event breaks a rule: an invalid seed is refused whole. */
  constructor(options: SessionOptions) {
    this.#now = options.now
    const seed = options.seed ?? []
    const asAppended = options.legacy === 'append' && isUnmarkedLog(seed)
    for (const event of seed) this.#commit(asAppended ? markedAsAppend(event) : event)
  }

  /** Every event, in log order. */
  get events(): readonly SessionEvent[] {
    return this.#events
  }

  /** What the model sees. */
  get surface(): SessionSurface {
    return this.#manager.surface
  }

  /** The messages to send to the model, in surface order. An assistant message without content yields none. */
  deriveMessages(): readonly JsonObject[] {
    const messages: JsonObject[] = []
    for (const seq of this.surface.nodes) {
      const event = this.#events[seq]
      const message = event && deriveEventMessage(event)
      if (message !== undefined) messages.push(message)
    }
    return messages
  }

  /**
   * Appends an event and returns it. A surface type demands its intent at compile time; for a type known only at
   * run time the boundary checks the same.
   * @throws {RefusedEventError} when a rule refuses the event; nothing has changed then.
   */
  append(type: SurfaceEventType, data: JsonValue, intent: SurfaceIntent): SessionEvent
  append<Type extends string>(
    type: Type extends SurfaceEventType ? never : Type,
    data: JsonValue,
    intent?: SurfaceIntent,
  ): SessionEvent
  append(type: string, data: JsonValue, intent?: SurfaceIntent): SessionEvent {
    return this.#commit({ type, seq: this.#events.length, time: this.#now(), data, ...intent })
  }

  #commit(candidate: SessionEvent): SessionEvent {
    const refuse = (finding: Finding): never => {
      throw new RefusedEventError(finding)
    }
    const { seq } = candidate
    if (!isLosslessJson(candidate) || !isJsonObject(candidate)) {
      refuse({ code: 'envelope/invalid', origin: {}, seq, args: { fault: 'not-lossless' } })
    }
    decodeEnvelope(candidate as unknown as JsonObject, seq, {}, refuse)
    const what = retiredVocabulary(candidate)
    // The strict session refuses the request vocabulary that was retired; what else is unknown is not its business.
    if (what !== undefined && candidate.type.startsWith('request/')) {
      refuse({ code: 'vocabulary/retired', origin: {}, seq, args: { what } })
    }
    const finding = messageFinding(candidate, {})
    if (finding !== undefined) refuse(finding)
    const plan = this.#manager.plan(candidate)
    if (plan.kind === 'violation') return refuse(findingOf(plan.code, plan.args, { origin: {}, seq }))
    const event = Object.freeze({ ...candidate })
    this.#events.push(event)
    this.#manager.commit(event, plan)
    return event
  }
}
