/** The envelope of a row: what does not belong there goes, and what the row itself tells is put right (format.md §2.3). */
import type { Dialect } from '../dialect/dialect.ts'
import { readSources } from '../dialect/source-ranges.ts'
import type { SessionEvent } from '../event/session-event.ts'
import { LegacyUpgrader } from '../event/upgrade-legacy.ts'
import { EVENT_TYPES } from '../event-types/event-types.ts'
import {
  isCount,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectIn,
  wordOf,
} from '../json/json-value.ts'
import { omit, type RowContext, type RowMend } from './row-mend.ts'

/** @param own - the seq that what the row names has to be earlier than. */
type Mend = (row: JsonObject, dialect: Dialect, context: RowContext, own: number) => JsonObject | undefined

const MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'seq',
  'time',
  'data',
  'surfaceOp',
  'sourceEventSeqs',
  'ignorable',
])

/** Each gives the row with its fault mended, or nothing where it finds none. */
export const ENVELOPE_MENDS: readonly (readonly [RowMend, Mend])[] = [
  ['members', withoutForeignMembers],
  ['ignorable', withoutFalseMark],
  ['type', withType],
  ['time', withTime],
  ['data', withData],
  ['operation', withOperation],
  ['sources', withSources],
]

function withoutForeignMembers(row: JsonObject): JsonObject | undefined {
  const members = Object.entries(row)
  const own = members.filter(([member]) => MEMBERS.has(member))
  return own.length === members.length ? undefined : Object.fromEntries(own)
}

function withoutFalseMark(row: JsonObject): JsonObject | undefined {
  return row.ignorable === undefined || row.ignorable === true ? undefined : omit(row, 'ignorable')
}

/** Data that only one type has tells the type. */
function withType(row: JsonObject, dialect: Dialect, context: RowContext): JsonObject | undefined {
  const { surface, knows } = dialect
  // What the specification calls context is a message of a plugin for every reader (format.md §10.2).
  const isContext = row.type === 'context/message' && surface.types.has(row.type) && !knows(row.type)
  if (isContext) return { ...row, type: 'user/message' }
  const current = typeof row.type === 'string' && !knows(row.type) ? currentName(row.type) : undefined
  if (current !== undefined)
    return isUpgraded(row, dialect, context.sessionId)
      ? undefined
      : { ...row, type: current, data: lifted(row, current) }
  if (typeof row.type === 'string' && row.type !== '') return undefined
  const type = typeOf(row.data) ?? bracketOf(row.data, context)
  return type === undefined ? undefined : { ...row, type }
}

/** Readers of format 0 know some of the early shapes themselves. */
function isUpgraded(row: JsonObject, { version }: Dialect, sessionId: string): boolean {
  const event = row as unknown as SessionEvent
  return version === 0 && new LegacyUpgrader(sessionId).upgrade(event).kind === 'upgraded'
}

/** The message of a user is all the data of its event; early names had it as a member. */
function lifted({ data }: JsonObject, type: string): JsonValue | undefined {
  const isInner = type === 'user/message' && isJsonObject(data) && isJsonObject(data.message)
  return isInner ? data.message : data
}

/** What is called so since the first release, which knows no earlier name. */
function currentName(type: string): string | undefined {
  return Object.hasOwn(EVENT_TYPES, type) ? EVENT_TYPES[type]?.earlyNameOf : undefined
}

function typeOf(data: JsonValue | undefined): string | undefined {
  if (!isJsonObject(data)) return undefined
  const has = (...members: readonly string[]): boolean =>
    members.every((member) => Object.hasOwn(data, member))
  if (has('turn', 'step', 'chunk')) return 'assistant/chunk'
  if (has('turn', 'step', 'callId', 'name', 'arguments')) return 'tool/call'
  if (has('header', 'reason')) return 'request/header'
  if (has('turn', 'reason')) return 'turn/end'
  if (has('target', 'start', 'inserted')) return 'agent/inbox/spliced'
  if (has('summary', 'shadowedSeqs')) return 'compaction/summary'
  if (has('title', 'messageSeqs')) return 'session/title'
  if (data.role === 'user' && has('content', 'source')) return 'user/message'
  const role = objectIn(data.message).role
  const source = objectIn(objectIn(data.message).source)
  if (source.kind === 'tool') return 'tool/result'
  if (role === 'assistant' || role === 'system' || role === 'developer') return `${role}/message`
  return undefined
}

/** A turn and step without more are those of a bracket, and the rows before it tell which one is due. */
function bracketOf(data: JsonValue | undefined, { turn, step }: RowContext): string | undefined {
  if (!isJsonObject(data)) return undefined
  const members = Object.keys(data).toSorted().join(' ')
  if (members === 'turn') return turn === undefined ? 'turn/start' : undefined
  if (members !== 'step turn' || data.turn !== turn) return undefined
  if (step === undefined) return 'step/start'
  return data.step === step ? 'step/end' : undefined
}

/** Events come in order, so one whose time is lost gets that of the event before. */
function withTime(row: JsonObject, _dialect: Dialect, { time }: RowContext): JsonObject | undefined {
  const stored = row.time
  if (Number.isSafeInteger(stored) && !Object.is(stored, -0)) return undefined
  const told = typeof stored === 'string' ? timeIn(stored) : stored
  const isTime = typeof told === 'number' && Number.isSafeInteger(Math.trunc(told))
  return { ...row, time: isTime ? Math.trunc(told) + 0 : time }
}

function timeIn(text: string): number | undefined {
  const time = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text)
  return Number.isSafeInteger(time) ? time : undefined
}

/** The brackets count, so the rows before one tell what it says. */
function withData(row: JsonObject, _dialect: Dialect, context: RowContext): JsonObject | undefined {
  if (isJsonObject(row.data)) return undefined
  const data = bracketData(row.type, context)
  return data === undefined ? undefined : { ...row, data }
}

function bracketData(
  type: JsonValue | undefined,
  { turn, step, lastTurn, lastStep }: RowContext,
): JsonObject | undefined {
  if (type === 'session/end-seed') return {}
  if (type === 'turn/start') return { turn: lastTurn + 1 }
  if (turn === undefined) return undefined
  if (type === 'step/start') return { turn, step: lastStep + 1 }
  if (type === 'step/end') return step === undefined ? undefined : { turn, step }
  return type === 'turn/end' ? { turn, reason: { kind: 'interrupted' } } : undefined
}

function isMessage(row: JsonObject, { surface }: Dialect): boolean {
  return typeof row.type === 'string' && surface.types.has(currentName(row.type) ?? row.type)
}

/** Whether the members of the surface mean nothing on this row, whatever they are. */
function isOpaque(row: JsonObject, { surface, knows }: Dialect): boolean {
  return surface.opaqueIgnorables && row.ignorable === true && !knows(wordOf(row.type))
}

function withOperation(
  row: JsonObject,
  dialect: Dialect,
  _context: RowContext,
  own: number,
): JsonObject | undefined {
  const { surfaceOp: op } = row
  if (!isMessage(row, dialect)) {
    if (isOpaque(row, dialect)) return undefined
    return op === undefined ? undefined : omit(row, 'surfaceOp')
  }
  if (op === 'append') return undefined
  if (!isJsonObject(op)) return { ...row, surfaceOp: 'append' }
  const { start, end } = dialect.surface
  const first = seqIn([op[start], op.start, op.startSeq], own)
  const last = seqIn([op[end], op.end, op.endSeq], own)
  const isExact = Object.keys(op).length === 3 && op.op === 'replace'
  if (isExact && op[start] === first && op[end] === last && first !== undefined) return undefined
  const cited = seqsIn(row.sourceEventSeqs, own)
  const range = { [start]: first ?? cited[0], [end]: last ?? cited.at(-1) }
  const isTold = range[start] !== undefined && range[end] !== undefined
  return { ...row, surfaceOp: isTold ? ({ op: 'replace', ...range } as JsonObject) : 'append' }
}

function seqIn(values: readonly (JsonValue | undefined)[], own: number): number | undefined {
  return values.find((value): value is number => isCount(value) && value < own)
}

/** The list is optional on what is appended; what can be read of it stays. */
function withSources(
  row: JsonObject,
  dialect: Dialect,
  { turn, step, deltas, isWhole }: RowContext,
  own: number,
): JsonObject | undefined {
  const { sourceEventSeqs: sources, type } = row
  if (sources === undefined) return undefined
  const read = readSources(sources, own)
  if (isOpaque(row, dialect))
    return read.kind === 'list' || dialect.version < 2 ? undefined : omit(row, 'sourceEventSeqs')
  const embeds = dialect.surface.embeddedStreams
  if (!isMessage(row, dialect) || (embeds && type === 'assistant/message'))
    return omit(row, 'sourceEventSeqs')
  const mayBeEmpty = !embeds && type === 'assistant/message'
  if (read.kind === 'list') {
    return read.seqs.length === 0 && !mayBeEmpty ? omit(row, 'sourceEventSeqs') : undefined
  }
  // An answer cites what was streamed of it, and the rows before it tell what that is.
  if (mayBeEmpty && isWhole && namesStep(row.data, turn, step)) return { ...row, sourceEventSeqs: deltas }
  const seqs = seqsIn(sources, own)
  return seqs.length === 0 ? omit(row, 'sourceEventSeqs') : { ...row, sourceEventSeqs: seqs }
}

function namesStep(data: JsonValue | undefined, turn: number | undefined, step: number | undefined): boolean {
  return isJsonObject(data) && data.turn === turn && data.step === step
}

/** What of a list can be sources of an event: earlier seqs, each once. */
function seqsIn(list: JsonValue | undefined, own: number): readonly number[] {
  const flat = Array.isArray(list) ? list.filter((item) => isCount(item) && !Object.is(item, -0)) : []
  return [...new Set(flat as readonly number[])].filter((seq) => seq < own)
}
