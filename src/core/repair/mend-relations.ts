/**
 * The turn, step and call that a row of format 4 names, where the rows before it prove another one (format.md §7.3).
 * Nothing may be missing since the turn began, and a number that a lost bracket would explain is left as it is.
 */
import type { Dialect } from '../dialect/dialect.ts'
import { answeredCallId, type SessionEvent } from '../event/session-event.ts'
import { isJsonObject, isName, isPositive, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { citedCall, withCall } from './mend-message.ts'
import type { AnnouncedCall, RowContext, RowMend } from './row-mend.ts'

export function mendRelations(
  row: JsonObject,
  dialect: Dialect,
  context: RowContext,
): readonly [RowMend, JsonObject] | undefined {
  const { type, data } = row
  if (!dialect.relations || !context.isWhole || !isJsonObject(data)) return undefined
  // A rewrite of a result names the step that the result was in.
  if (type === 'tool/result' && row.surfaceOp !== 'append') return undefined
  const place = placeIn(type, data, dialect, context)
  if (place !== undefined) return ['place', { ...row, data: { ...data, ...place } }]
  const started = type === 'tool/call' ? startedCall(data, context.announced) : undefined
  if (started !== undefined) return ['start', { ...row, data: { ...data, ...started } }]
  return type === 'tool/result' ? withAnswered(row, dialect, context) : undefined
}

/** What the row should say of its turn and step, where it says something else. */
function placeIn(
  type: JsonValue | undefined,
  data: JsonObject,
  { inStep }: Dialect,
  { turn, step, lastTurn, lastStep }: RowContext,
): JsonObject | undefined {
  if (type === 'turn/start')
    return turn === undefined && !isPositive(data.turn) ? { turn: lastTurn + 1 } : undefined
  if (turn === undefined) return undefined
  if (type === 'turn/end') return isOff(data.turn, turn) ? { turn } : undefined
  if (type === 'step/start' && step === undefined) {
    const next = isPositive(data.step) ? data.step : lastStep + 1
    return isOff(data.turn, turn) || next !== data.step ? { turn, step: next } : undefined
  }
  if (step === undefined || !inStep.has(String(type))) return undefined
  return isOff(data.turn, turn) || (data.turn === turn && isOff(data.step, step)) ? { turn, step } : undefined
}

/** The next number may be that of a turn or step whose start is lost. */
function isOff(named: JsonValue | undefined, open: number): boolean {
  return !isPositive(named) || named < open || named > open + 1
}

/** The announced call that a `tool/call` starts, where it says something else than the announcement. */
function startedCall(data: JsonObject, announced: readonly AnnouncedCall[]): JsonObject | undefined {
  const open = announced.filter(({ id, isStarted }) => isName(id) && !isStarted)
  const alike = open.filter(({ name, arguments: args }) => name === data.name && args === data.arguments)
  const call =
    open.find(({ id }) => id === data.callId) ??
    (alike.length === 1 ? alike[0] : isName(data.callId) || open.length > 1 ? undefined : open[0])
  if (call === undefined) return undefined
  const { id: callId, arguments: args } = call
  // A call that was announced without a name has none to give.
  const name = isName(call.name) ? call.name : (data.name as JsonValue)
  const isSame = callId === data.callId && name === data.name && args === data.arguments
  return isSame ? undefined : { callId, name, arguments: args }
}

/** A result whose call does not wait, while the call whose start it cites does. */
function withAnswered(
  row: JsonObject,
  dialect: Dialect,
  context: RowContext,
): readonly [RowMend, JsonObject] | undefined {
  const answered = answeredCallId(row as unknown as SessionEvent)
  const cited = citedCall(row, context)
  const isAstray = answered === undefined || !context.waiting.includes(answered)
  return isAstray && cited !== undefined && context.waiting.includes(cited)
    ? withCall(row, dialect, context)
    : undefined
}
