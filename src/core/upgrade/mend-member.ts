/**
 * One member that the target refuses → the change that makes the target take it, where the log tells one. Nothing that
 * the model sees is changed: what is wrong with content stays refused.
 */
import type { SessionEvent } from '../event/session-event.ts'
import { firstRefusal, type Refusal } from '../event-types/refusals.ts'
import { SOURCES, USAGE } from '../event-types/values.ts'
import {
  isJsonObject,
  isName,
  type JsonObject,
  type JsonValue,
  objectIn,
  present,
} from '../json/json-value.ts'
import type { MemberEdit } from '../json/member-edit.ts'
import type { FamilyName } from '../repair/upgrade-families.ts'
import { followWay, valueAt, type Way } from './member-ways.ts'

/** What the log says elsewhere. */
export interface Known {
  /** Provider and model of the last request. */
  readonly route: JsonObject | undefined
  /** Counts of tokens in the stream of the answer. */
  readonly streamUsage: JsonValue | undefined
  /** The compaction that is open. */
  readonly compactionId: string | undefined
}

export interface MemberMending {
  readonly family: FamilyName
  readonly change: MemberEdit
}

type MemberRefusal = Pick<Refusal, 'problem' | 'at'>

const CHECKPOINT = 'compact'

export function mendMember(
  event: SessionEvent,
  refusal: MemberRefusal,
  known: Known,
): MemberMending | undefined {
  const { problem, at } = refusal
  if (problem === 'unexpected') return { family: 'members', change: { at } }
  if (problem === 'content') return undefined
  if (event.type === 'subagent/descriptor' && at.length === 2 && at[1] === 'version')
    return { family: 'descriptors', change: { at, value: 3 } }
  const source = at.findIndex((key, index) => key === 'source' && isMessageMember(event.type, at, index))
  if (source >= 0) return mendSource(event, refusal, at.slice(0, source + 1), known)
  if (event.type === 'agent/inbox/spliced' && at[1] === 'inserted' && at.length === 4 && at[3] === 'role')
    return { family: 'queued-messages', change: { at, value: 'user' } }
  return mendValue(event, at, known)
}

/** Titles and policies have a source too, which is none of a message. */
function isMessageMember(type: string, at: Way, index: number): boolean {
  if (type === 'user/message') return index === 1
  if (at[index - 1] === 'message') return true
  return typeof at[index - 1] === 'number' && (at[1] === 'inserted' || at[1] === 'messages')
}

function mendSource(
  event: SessionEvent,
  { problem, at }: MemberRefusal,
  way: Way,
  known: Known,
): MemberMending | undefined {
  const source = valueAt({ data: event.data }, way)
  if (event.type === 'assistant/message') return modelSource(source, way, at, known)
  if (!isJsonObject(source) || !isName(source.kind)) return undefined
  if (event.type === 'tool/result') return undefined
  if (problem === 'form') return { family: 'forms', change: { at: [...way, 'form'] } }
  if (source.kind === 'plugin') return pluginSource(event, source, way, at, known)
  const { optional } = followWay(event.type, event.data, at)
  if (source.kind === 'user')
    return optional !== undefined && optional > way.length
      ? { family: 'values', change: { at: at.slice(0, optional) } }
      : undefined
  return { family: 'sources', change: { at: way, value: asPlugin(source, source.kind) } }
}

/** What else the source says stays only where it means the same on a plugin source. */
function asPlugin({ form, summary, sections }: JsonObject, kind: string): JsonObject {
  // A plugin of this name would make a checkpoint of the message.
  const base = { kind: 'plugin', plugin: kind === CHECKPOINT ? `source:${kind}` : kind }
  const whole: JsonObject = {
    ...base,
    ...present({ form, summary, sections }),
  }
  return firstRefusal(SOURCES, whole, 'source', { format: 2, seq: 0 }) === undefined ? whole : base
}

function pluginSource(
  event: SessionEvent,
  source: JsonObject,
  way: Way,
  at: Way,
  { compactionId }: Known,
): MemberMending | undefined {
  const member = at[way.length]
  if (member === 'compactionId' && source.plugin === CHECKPOINT && compactionId !== undefined)
    return { family: 'values', change: { at: [...way, 'compactionId'], value: compactionId } }
  if (member === 'plugin' || member === 'compactionId') return undefined
  const { optional } = followWay(event.type, event.data, at)
  return optional === undefined || optional <= way.length
    ? undefined
    : { family: 'values', change: { at: at.slice(0, optional) } }
}

/** An answer comes from the model that the request before it names. */
function modelSource(
  source: JsonValue | undefined,
  way: Way,
  at: Way,
  { route }: Known,
): MemberMending | undefined {
  const given = objectIn(source)
  const provider = isName(given.provider) ? given.provider : route?.provider
  const model = isName(given.model) ? given.model : route?.model
  if (!isName(provider) || !isName(model)) return undefined
  const member = at[way.length]
  if (given.kind === 'model' && member !== undefined) {
    if (member !== 'provider' && member !== 'model') return undefined
    const value = member === 'model' ? model : provider
    return { family: 'values', change: { at: [...way, member], value } }
  }
  const { replayState } = given
  const value = { kind: 'model', provider, model, ...(replayState !== undefined && { replayState }) }
  return { family: 'sources', change: { at: way, value } }
}

function mendValue(event: SessionEvent, at: Way, known: Known): MemberMending | undefined {
  const value = valueAt({ data: event.data }, at)
  const { kind, optional } = followWay(event.type, event.data, at)
  const isNumber = kind?.kind === 'number' || kind?.kind === 'seq'
  if (isNumber) {
    const number = sameNumber(value)
    if (number !== undefined) return { family: 'counts', change: { at, value: number } }
  }
  const usage = at.indexOf('usage')
  if (usage === 1 && event.type === 'assistant/message' && isUsage(known.streamUsage))
    return { family: 'counts', change: { at: ['data', 'usage'], value: known.streamUsage } }
  if (optional === undefined) return undefined
  const isCounted = isNumber || usage > 0
  return { family: isCounted ? 'counts' : 'values', change: { at: at.slice(0, optional) } }
}

/** The same number in the form that readers take. */
function sameNumber(value: JsonValue | undefined): number | undefined {
  if (Object.is(value, -0)) return 0
  return typeof value === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : undefined
}

function isUsage(value: JsonValue | undefined): value is JsonValue {
  return firstRefusal(USAGE, value, 'usage', { format: 1, seq: 0 }) === undefined
}
