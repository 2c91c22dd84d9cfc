/**
 * The one owner of "which turn, step and compaction are open, and which tool calls wait for a result" (format.md §6.1).
 * Crash closers, pair checks and turn checks all read it, so they cannot disagree. It follows the log without
 * judging it: what a transition means is for the checks.
 */
import { type Dialect, dialectOf } from '../dialect/dialect.ts'
import { advertisedCalls, answeredCallId, type SessionEvent } from '../event/session-event.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import { isReplacementSurfaceEvent } from '../surface/surface-predicates.ts'

/** An advertised tool call that has no result yet. */
export interface PendingCall {
  readonly callId: string
  readonly name: string
  readonly arguments: string
  /** `step` of the advertising assistant message, as stored. */
  readonly step: unknown
  readonly turn: unknown
  readonly advertisedAt: number
  /** Announced by a replacement: a copy for the model of a call that may have been answered long ago. */
  readonly copy: boolean
  /** Seq of the `tool/call` that recorded its start. */
  startedAt?: number
}

/** Something that is open, under the name the log gives it. */
export interface Open {
  readonly name: JsonValue | undefined
}

/** What one event did to the cursor. The lists are empty where nothing happened. */
export interface CursorChange {
  /** Calls that lost their chance of a result because their step or turn closed, in advertised order. */
  readonly abandoned: readonly PendingCall[]
  /** The pending call that this `tool/result` answers. */
  readonly answered?: PendingCall
  /** The pending call that this `tool/call` starts, and whether it had been started before. */
  readonly started?: PendingCall
  /** Calls that this assistant message advertises although a call of the same id still waits. */
  readonly readvertised: readonly PendingCall[]
}

const NONE: readonly PendingCall[] = []
const NOTHING: CursorChange = { abandoned: NONE, readvertised: NONE }

/** Follows which turn and step are open, and which tool calls wait for a result (format.md §7.1). */
export class TurnCursor {
  readonly #dialect: Dialect
  #turn: Open | undefined
  #step: Open | undefined
  #lastTurn = 0
  #compaction: JsonObject | undefined
  /** Insertion-ordered by first advertisement; advertising an id again keeps its place and replaces its value. */
  readonly pending = new Map<string, PendingCall>()

  constructor(dialect: Dialect = dialectOf(0)) {
    this.#dialect = dialect
  }

  /** Number of the open turn; `undefined` when none is open, or when the log gives it no number. */
  get openTurn(): number | undefined {
    return numberOf(this.#turn)
  }

  get openStep(): number | undefined {
    return numberOf(this.#step)
  }

  /** What the log calls the open turn, whether a number or not; for what closes it by that name. */
  get turn(): Open | undefined {
    return this.#turn
  }

  /** Number of the last turn that was started; where the log gives it none, the one after the turn before. */
  get lastTurn(): number {
    return this.#lastTurn
  }

  get step(): Open | undefined {
    return this.#step
  }

  /** Data of the start of the compaction that is open. */
  get compaction(): JsonObject | undefined {
    return this.#compaction
  }

  advance(event: SessionEvent): CursorChange {
    switch (event.type) {
      case 'turn/start': {
        const abandoned = this.#clear()
        this.#turn = opened(event, 'turn')
        this.#lastTurn = isCount(this.openTurn) && this.openTurn > 0 ? this.openTurn : this.#lastTurn + 1
        this.#step = undefined
        return closing(abandoned)
      }
      case 'turn/end': {
        const abandoned = this.#clear()
        this.#turn = undefined
        this.#step = undefined
        return closing(abandoned)
      }
      case 'step/start':
        this.#step = opened(event, 'step')
        return NOTHING
      case 'step/end':
        this.#step = undefined
        return closing(this.#clear())
      case 'assistant/message':
        return this.#advertise(event)
      case 'tool/call': {
        const started = this.pending.get(textIn(event, 'callId'))
        if (started === undefined) return NOTHING
        const change = { abandoned: NONE, readvertised: NONE, started: { ...started } }
        started.startedAt = event.seq
        return change
      }
      case 'tool/result': {
        const callId = answeredCallId(event)
        const answered = callId === undefined ? undefined : this.pending.get(callId)
        if (answered === undefined || !this.#answers(event, answered)) return NOTHING
        this.pending.delete(answered.callId)
        return { abandoned: NONE, readvertised: NONE, answered }
      }
      case 'compaction/start':
        this.#compaction = objectIn(event.data)
        return NOTHING
      case 'compaction/end':
      case 'session/end-seed':
        this.#compaction = undefined
        return NOTHING
      default:
        return NOTHING
    }
  }

  /** In format 4 only an append in the turn and step of the call answers it (format.md §6.3). */
  #answers(event: SessionEvent, call: PendingCall): boolean {
    if (!this.#dialect.strictAnswers) return true
    return (
      event.surfaceOp === 'append' &&
      memberOf(event, 'turn') === call.turn &&
      memberOf(event, 'step') === call.step
    )
  }

  #advertise(event: SessionEvent): CursorChange {
    const calls = advertisedCalls(event)
    if (calls.length === 0) return NOTHING
    const readvertised: PendingCall[] = []
    for (const call of calls) {
      const waiting = this.pending.get(call.id)
      if (waiting !== undefined) readvertised.push(waiting)
      this.pending.set(call.id, {
        callId: call.id,
        name: call.name,
        arguments: call.arguments,
        turn: memberOf(event, 'turn'),
        step: memberOf(event, 'step'),
        advertisedAt: event.seq,
        copy: isReplacementSurfaceEvent(event),
      })
    }
    return { abandoned: NONE, readvertised }
  }

  #clear(): readonly PendingCall[] {
    if (this.pending.size === 0) return NONE
    const abandoned = [...this.pending.values()]
    this.pending.clear()
    return abandoned
  }
}

function closing(abandoned: readonly PendingCall[]): CursorChange {
  return abandoned.length === 0 ? NOTHING : { abandoned, readvertised: NONE }
}

function memberOf(event: SessionEvent, key: string): JsonValue | undefined {
  return isJsonObject(event.data) ? event.data[key] : undefined
}

/** DSH takes any name but null for one that is open. */
function opened(event: SessionEvent, key: string): Open | undefined {
  const name = memberOf(event, key)
  return name === null ? undefined : { name }
}

/** `null` for one that is open without a name: that is what an event without the member says, too. */
export function nameOf(open: Open | undefined): JsonValue | undefined {
  return open === undefined ? undefined : (open.name ?? null)
}

function numberOf(open: Open | undefined): number | undefined {
  return typeof open?.name === 'number' ? open.name : undefined
}

/** A numeric member of the event's data. */
export function numberIn(event: SessionEvent, key: string): number | undefined {
  const value = isJsonObject(event.data) ? event.data[key] : undefined
  return typeof value === 'number' ? value : undefined
}

/** A string member of the event's data, or the empty string. */
export function textIn(event: SessionEvent, key: string): string {
  const value = isJsonObject(event.data) ? event.data[key] : undefined
  return typeof value === 'string' ? value : ''
}
