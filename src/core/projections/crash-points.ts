/**
 * What a resume would make of the log had its writer died after each event (format.md §6.1, §6.3): for those who design
 * writers, and want to see what a crash can cost. Events after which the outcome is the same make one row. The members of
 * a packed row are counted like single events, although a crash loses them together.
 */

import { constant, listOf, logNumber, record, type Static, text, whole } from '../json/json-schema.ts'
import { present, sameJson } from '../json/json-value.ts'
import { stringifyJson } from '../json/stringify-json.ts'
import { readableClosersAt } from '../repair/closers.ts'
import { DELTA_TYPE } from '../replay/delta-run.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import type { PendingCall, TurnCursor } from '../replay/turn-cursor.ts'

const crashCalls = listOf(record({ callId: text, name: text }))

const crashPoint = record(
  {
    /** Seqs of the first and the last event after which the outcome is this one. */
    from: whole,
    to: whole,
    /** How many events these are. */
    events: whole,
    /** Calls that had begun: nobody will know what became of them. */
    unknown: crashCalls,
    /** Calls that had been announced only: they can be made again. */
    notStarted: crashCalls,
    /** Types of the events that a resume would append, in order. */
    closers: listOf(text),
  },
  {
    /** Turn and step that would be open. */
    turn: logNumber,
    step: logNumber,
    /** What was streamed of an answer that no message holds yet: the model will not see it. */
    losesAnswer: constant(true),
  },
)

/** The points of the totals are events of the log, or ends of its frames. */
export const CRASH_POINTS = record({
  totals: record({ points: whole, openTurn: whole, notStarted: whole, unknown: whole, losesAnswer: whole }),
  points: listOf(crashPoint),
})

export type CrashPoints = Static<typeof CRASH_POINTS>
export type CrashPoint = Static<typeof crashPoint>

/** What it would be made of, wherever that is. */
type Outcome = Omit<CrashPoint, 'from' | 'to' | 'events'>

/** @param atFrames - only after the last event of each compressed frame, which is written whole or not at all. */
export function crashPoints(atFrames: boolean): Reducer<CrashPoints> {
  const table = new CrashTable()
  let key = ''
  let outcome: Outcome = { unknown: [], notStarted: [], closers: [] }
  let streams = false
  let last: { readonly seq: number; readonly frame: number | undefined } | undefined

  /** Most events change nothing about it. */
  function settle({ cursor, event, dialect }: ReplayStep): void {
    const now = keyOf(cursor, streams)
    if (now === key) return
    const closers = readableClosersAt(cursor, event, dialect)
    const calls = cursor.turn === undefined ? [] : [...cursor.pending.values()]
    key = now
    outcome = {
      ...present({ turn: cursor.openTurn, step: cursor.openStep }),
      unknown: calls.filter(isStarted).map(named),
      notStarted: calls.filter((call) => !isStarted(call)).map(named),
      ...(streams && { losesAnswer: true }),
      closers: closers.map(({ type }) => type),
    }
  }

  const reducer: Reducer<CrashPoints> = {
    on(step) {
      const { event, origin } = step
      if (atFrames && last !== undefined && origin.frame !== last.frame) table.add(last.seq, 1, outcome)
      streams = isStreaming(step, streams)
      settle(step)
      if (!atFrames) table.add(event.seq, 1, outcome)
      last = { seq: event.seq, frame: origin.frame }
    },
    finish() {
      if (atFrames && last !== undefined) table.add(last.seq, 1, outcome)
      return table.end()
    },
  }
  if (atFrames) return reducer
  return {
    ...reducer,
    onDeltas({ first, count }) {
      if (!streams) {
        outcome = { ...outcome, losesAnswer: true }
        key = ''
        streams = true
      }
      table.add(first, count, outcome)
    },
  }
}

/** Rows of points that come to the same, as they grow. */
class CrashTable {
  readonly #points: CrashPoint[] = []
  readonly #totals = { points: 0, openTurn: 0, notStarted: 0, unknown: 0, losesAnswer: 0 }
  #last: { from: number; to: number; events: number; readonly outcome: Outcome } | undefined

  /** @param first - seq of the first of `count` events after each of which `outcome` is the same. */
  add(first: number, count: number, outcome: Outcome): void {
    const to = first + count - 1
    if (this.#last !== undefined && isSame(this.#last.outcome, outcome)) {
      this.#last.to = to
      this.#last.events += count
      return
    }
    this.#close()
    this.#last = { from: first, to, events: count, outcome }
  }

  end(): CrashPoints {
    this.#close()
    return { totals: this.#totals, points: this.#points }
  }

  #close(): void {
    if (this.#last === undefined) return
    const { from, to, events, outcome } = this.#last
    this.#points.push({ from, to, events, ...outcome })
    const totals = this.#totals
    totals.points += events
    if (outcome.closers.length > 0) totals.openTurn += events
    if (outcome.notStarted.length > 0) totals.notStarted += events
    if (outcome.unknown.length > 0) totals.unknown += events
    if (outcome.losesAnswer === true) totals.losesAnswer += events
    this.#last = undefined
  }
}

function isSame(a: Outcome, b: Outcome): boolean {
  return a === b || sameJson(a, b)
}

function keyOf({ turn, step, pending, compaction }: TurnCursor, streams: boolean): string {
  const calls = [...pending.values()].map((call) => [call.callId, isStarted(call)])
  return stringifyJson([turn?.name, step?.name, calls, turn === undefined, compaction?.turn, streams])
}

/** Whether something was streamed since an answer or a step was last over. */
function isStreaming({ event }: ReplayStep, streams: boolean): boolean {
  switch (event.type) {
    case DELTA_TYPE:
      return true
    case 'assistant/message':
      return event.surfaceOp === 'append' ? false : streams
    case 'llm/retry':
    case 'step/end':
    case 'turn/start':
    case 'turn/end':
      return false
    default:
      return streams
  }
}

function isStarted({ startedAt }: PendingCall): boolean {
  return startedAt !== undefined
}

function named({ callId, name }: PendingCall): CrashPoint['unknown'][number] {
  return { callId, name }
}
