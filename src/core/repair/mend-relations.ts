/**
 * The turn, step and call that a row of format 4 names, where the rows around it prove another one (format.md §7.3).
 * Nothing may be missing since a row last showed which turn and step are open. A number that a lost bracket would explain
 * is wrong only where the next row goes on as if it were another.
 */
import type { Dialect } from '../dialect/dialect.ts'
import { answeredCallId, type SessionEvent } from '../event/session-event.ts'
import {
  isJsonObject,
  isName,
  isPositive,
  type JsonObject,
  type JsonValue,
  wordOf,
} from '../json/json-value.ts'
import { citedCall, withCall } from './mend-message.ts'
import type { AnnouncedCall, NamedPlace, NextPlace, RowContext, RowMend } from './row-mend.ts'

const BRACKETS: ReadonlySet<unknown> = new Set(['turn/start', 'turn/end', 'step/start', 'step/end'])

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
  if (place !== undefined) return ['place', { ...row, data: { ...data, ...place } as JsonObject }]
  const started = type === 'tool/call' ? startedCall(data, context.announced) : undefined
  if (started !== undefined) return ['start', { ...row, data: { ...data, ...started } }]
  return type === 'tool/result' ? withAnswered(row, dialect, context) : undefined
}

/** What the row should say of its turn and step, where it says something else. */
function placeIn(
  type: JsonValue | undefined,
  data: JsonObject,
  dialect: Dialect,
  context: RowContext,
): NamedPlace | undefined {
  const due = dueAt(type, dialect, context)
  if (due === undefined || isSame(data, due)) return undefined
  const { turn, step } = data
  const isTurnLost = isPositive(turn) && turn === due.turn + 1
  const isStepLost =
    turn === due.turn && isPositive(step) && step > Number(due.step) && isNear(type, step, due)
  const isStart = type === 'turn/start' && isPositive(turn) && turn > due.turn
  if (!isTurnLost && !isStepLost && !isStart) return due
  const { next } = context
  if (next === undefined) return undefined
  const after = next === 'end' ? undefined : dueAt(next.type, dialect, stateAfter(type, due, context))
  return next === 'end' || (after !== undefined && isSame(next, after)) ? due : undefined
}

/** The number of a step that begins may be any later one, that of another row the next. */
function isNear(type: JsonValue | undefined, step: number, due: NamedPlace): boolean {
  return type === 'step/start' || step === Number(due.step) + 1
}

type OpenPlace = Pick<RowContext, 'turn' | 'step' | 'lastTurn' | 'lastStep'>

/** The turn and step that a row of the type has to name here; nothing where none belongs. */
function dueAt(
  type: JsonValue | undefined,
  { inStep }: Dialect,
  { turn, step, lastTurn, lastStep }: OpenPlace,
): NamedPlace | undefined {
  if (type === 'turn/start') return turn === undefined ? { turn: lastTurn + 1 } : undefined
  if (turn === undefined) return undefined
  if (type === 'turn/end') return { turn }
  if (type === 'step/start') return step === undefined ? { turn, step: lastStep + 1 } : undefined
  return step === undefined || !inStep.has(wordOf(type)) ? undefined : { turn, step }
}

function stateAfter(type: JsonValue | undefined, due: NamedPlace, open: OpenPlace): OpenPlace {
  const { turn, step = 0 } = due
  switch (type) {
    case 'turn/start':
      return { turn, step: undefined, lastTurn: turn, lastStep: 0 }
    case 'turn/end':
      return { turn: undefined, step: undefined, lastTurn: turn, lastStep: 0 }
    case 'step/start':
      return { ...open, step, lastStep: step }
    case 'step/end':
      return { ...open, step: undefined }
    default:
      return open
  }
}

function isSame(named: JsonObject | NextPlace, due: NamedPlace): boolean {
  return named.turn === due.turn && (due.step === undefined || named.step === due.step)
}

/** Whether a row shows which turn and step are open, as the row after it does. */
export function showsPlace(
  { type, data }: JsonObject,
  { inStep }: Dialect,
  next: RowContext['next'],
): boolean {
  if (!isJsonObject(data) || !inStep.has(wordOf(type)) || type === 'step/end') return false
  const { turn, step } = data
  if (!isPositive(turn) || !isPositive(step) || typeof next !== 'object') return false
  return (
    (inStep.has(wordOf(next.type)) || next.type === 'step/end') && next.turn === turn && next.step === step
  )
}

/** The turn and step that a row names, where it is one that has to. */
export function placeOf({ type, data, surfaceOp }: JsonObject, { inStep }: Dialect): NextPlace | undefined {
  if (!isJsonObject(data) || (type === 'tool/result' && surfaceOp !== 'append')) return undefined
  const { turn, step } = data
  return BRACKETS.has(type) || inStep.has(wordOf(type)) ? { type, turn, step } : undefined
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
