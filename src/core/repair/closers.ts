/**
 * The events that close an interrupted turn, exactly as DSH writes them on resume (format.md §6.1, §6.3): one result per
 * waiting call in the order the calls were announced, then the step, then the turn, all at the time of the last event.
 */
import { type Dialect, dialectOf } from '../dialect/dialect.ts'
import type { SessionEvent } from '../event/session-event.ts'
import { interruptedResultId, NOT_STARTED, OUTCOME_UNKNOWN } from '../event-types/closers.ts'
import { type JsonObject, type JsonValue, present } from '../json/json-value.ts'
import { type PendingCall, TurnCursor } from '../replay/turn-cursor.ts'

/** Closers for a log that ends at `last` with the cursor in this state; none when no turn is open. */
export function closersAt(
  cursor: Pick<TurnCursor, 'turn' | 'step' | 'pending'>,
  last: Pick<SessionEvent, 'seq' | 'time'> | undefined,
  dialect: Dialect = dialectOf(0),
): readonly SessionEvent[] {
  if (cursor.turn === undefined || last === undefined) return []
  const turn = cursor.turn.name
  const closers: SessionEvent[] = []
  const { time } = last
  const nextSeq = (): number => last.seq + 1 + closers.length
  for (const call of cursor.pending.values())
    closers.push(missingResult(turn, call, nextSeq(), time, dialect))
  if (cursor.step !== undefined) {
    closers.push({ type: 'step/end', seq: nextSeq(), time, data: present({ turn, step: cursor.step.name }) })
  }
  closers.push({
    type: 'turn/end',
    seq: nextSeq(),
    time,
    data: present({ turn, reason: { kind: 'interrupted' } }),
  })
  return closers
}

/**
 * The same for a log that is to be read. DSH leaves a compaction open, and readers of format 4 let no turn end cross one
 * (format.md §6.4), so it ends before the turn. What DSH closes in memory it may refuse once it is stored: a turn without
 * a positive number is closed under the next one, and a call without an id has no result.
 */
export function readableClosersAt(
  cursor: TurnCursor,
  last: Pick<SessionEvent, 'seq' | 'time'> | undefined,
  dialect: Dialect,
): readonly SessionEvent[] {
  const closers = closersAt(closable(cursor), last, dialect)
  const turnEnd = closers.at(-1)
  const { compaction } = cursor
  if (turnEnd === undefined || !dialect.relations || typeof compaction?.turn !== 'number') return closers
  const { seq, time } = turnEnd
  const end = { type: 'compaction/end', seq, time, data: compactionEnd(compaction, false) }
  return [...closers.slice(0, -1), end, { ...turnEnd, seq: seq + 1 }]
}

function closable({ turn, step, pending, lastTurn }: TurnCursor): Parameters<typeof closersAt>[0] {
  const isNumbered = turn === undefined || turn.name === lastTurn
  const isIdless = pending.has('')
  return {
    turn: isNumbered ? turn : { name: lastTurn },
    step,
    pending: isIdless ? new Map([...pending].filter(([callId]) => callId !== '')) : pending,
  }
}

/** Closers for a complete list of events. */
export function interruptedTurnClosers(
  events: readonly SessionEvent[],
  dialect: Dialect = dialectOf(0),
): readonly SessionEvent[] {
  const cursor = new TurnCursor(dialect)
  for (const event of events) cursor.advance(event)
  return closersAt(cursor, events.at(-1), dialect)
}

/** The data of the end that belongs to the start of a compaction. */
export function compactionEnd(
  { compactionId, sourceCommandId, turn }: JsonObject,
  isSuccessful: boolean,
): JsonObject {
  return present({
    compactionId,
    sourceCommandId,
    turn,
    ...(!isSuccessful && { error: 'the process ended before the compaction did' }),
  } as JsonObject)
}

/** The result that says honestly that a call has none; it cites the start of the call where that was recorded. */
export function missingResult(
  turn: JsonValue | undefined,
  call: Pick<PendingCall, 'callId' | 'turn' | 'step' | 'startedAt'>,
  seq: number,
  time: number,
  dialect: Dialect,
): SessionEvent {
  const { callId, startedAt } = call
  const { error, text } = startedAt === undefined ? NOT_STARTED : OUTCOME_UNKNOWN
  const id = interruptedResultId(callId, seq)
  const source = { kind: 'tool', callId }
  const content = [{ type: 'text', text }]
  const message: JsonObject = dialect.toolRole
    ? { id, role: 'tool', toolCallId: callId, isError: true, source, content }
    : {
        id,
        role: 'user',
        source,
        content: [{ type: 'tool-result', toolCallId: callId, isError: true, content }],
      }
  return {
    type: 'tool/result',
    seq,
    time,
    data: present({
      turn: dialect.toolRole ? (call.turn as JsonValue) : turn,
      step: call.step as JsonValue,
      message,
      error,
    }),
    surfaceOp: 'append',
    ...(startedAt !== undefined && { sourceEventSeqs: [startedAt] }),
  }
}
