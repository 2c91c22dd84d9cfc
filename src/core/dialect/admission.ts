/**
 * What the readers of formats 3 and 4 refuse in any row that parses, even after a bad one: shapes that belong to an
 * earlier format (format.md §4.5, §4.6, §11 C8, §12.D). Nothing here is a crash tail; the file is refused.
 */
import { forkedResultId, isForkedResultId, isNotStarted, NOT_STARTED } from '../event-types/closers.ts'
import { message as messageBy } from '../event-types/kinds.ts'
import { memberFault } from '../event-types/member-faults.ts'
import { type MessageParts, messagePartsIn } from '../event-types/message-parts.ts'
import { firstRefusal } from '../event-types/refusals.ts'
import { isKnownType } from '../event-types/vocabulary.ts'
import type { FindingOf } from '../findings/finding.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import {
  isCount,
  isJsonObject,
  isName,
  isPositive,
  type JsonObject,
  type JsonValue,
  objectIn,
  objectsIn,
  wordOf,
} from '../json/json-value.ts'

export type Refusal = Refused<'format/foreign-shape'> | Refused<'vocabulary/unknown-type'>

type Refused<Code extends FindingCode> = Pick<FindingOf<Code>, 'code' | 'args'>

/** What is wrong with a row, and with which part of it. */
type Problem = Omit<EvidenceOf<'format/foreign-shape'>, 'type'>

function wrong(fault: Problem['fault'], part?: string): Problem {
  return part === undefined ? { fault } : { fault, part }
}

/** Why a row cannot belong to a log of this format; `undefined` when it can. */
export function admissionRefusal(row: JsonObject, version: number): Refusal | undefined {
  if (version < 3) return undefined
  const { type, data } = row
  if (typeof type !== 'string') return undefined
  if (type === 'tool/code-dispatch' || type === 'tool/code-dispatch-start') {
    if (row.ignorable === true) return undefined
    return { code: 'vocabulary/unknown-type', args: { type } }
  }
  const problem = version === 3 ? problemIn3(type, data) : problemIn4(row, type, data)
  return problem === undefined ? undefined : { code: 'format/foreign-shape', args: { type, ...problem } }
}

function requestProblem(data: JsonValue | undefined): Problem | undefined {
  const header = objectIn(data).header
  if (!isJsonObject(header)) return wrong('no-request-objects')
  return Object.hasOwn(header, 'system') ? wrong('system-in-header') : undefined
}

// Format 3 ---------------------------------------------------------------------------------------------------------

function problemIn3(type: string, data: JsonValue | undefined): Problem | undefined {
  if (type === 'request/header') return requestProblem(data)
  return type === 'system/message' ? systemProblem3(data) : undefined
}

function systemProblem3(data: JsonValue | undefined): Problem | undefined {
  if (!isJsonObject(data)) return wrong('no-data')
  const foreign = foreignKey(data, ['turn', 'step', 'message'])
  if (foreign !== undefined) return foreign
  if (!isPositive(data.turn)) return wrong('turn')
  if (!isPositive(data.step)) return wrong('step')
  const { message } = data
  if (!isJsonObject(message)) return wrong('no-message')
  const foreignMember = foreignKey(message, ['id', 'role', 'source', 'content'])
  if (foreignMember !== undefined) return foreignMember
  if (!isName(message.id)) return wrong('no-id')
  if (message.role !== 'system') return wrong('role', 'system')
  const { source } = message
  if (!isJsonObject(source) || source.kind !== 'plugin' || !isName(source.plugin))
    return wrong('plugin-source')
  // As the message of a user, and with content and sources that nobody knows, as the format before it took them.
  const refused = firstRefusal(USER_MESSAGE, { ...message, role: 'user' }, 'message', { format: 1, seq: 0 })
  return refused && wrong('member', `${refused.path} ${memberFault(refused.fault)}`)
}

const USER_MESSAGE = messageBy('user')

// Format 4 ---------------------------------------------------------------------------------------------------------

const NOWHERE: MessageParts = { messages: [], blocks: [] }

const FREE_OF_TOOL_CHANGES = new Set(['tool/ptc-dispatch', 'team/message/queued', 'developer/message'])

/** Whether a block adds or removes a tool in an event of a type that may not. */
export function isForeignToolChange(type: string, block: JsonObject): boolean {
  const changes = block.type === 'tool-addition' || block.type === 'tool-removal'
  return changes && !FREE_OF_TOOL_CHANGES.has(type)
}

function problemIn4(row: JsonObject, type: string, value: JsonValue | undefined): Problem | undefined {
  if (type === 'request/header') return requestProblem(value) ?? deferProblem(value)
  const data = objectIn(value)
  const { messages, blocks } = isKnownType(type, 4) ? messagePartsIn(type, data) : NOWHERE
  for (const block of blocks) {
    if (block.type === 'tool-result') return wrong('result-wrapper')
    if (isForeignToolChange(type, block)) return wrong('developer-role', wordOf(block.type))
  }
  // What a system message is, is said below.
  for (const message of type === 'system/message' ? [] : messages) {
    if (type !== 'developer/message' && message.role === 'developer') return wrong('developer-elsewhere')
    if (objectIn(message.source).kind === 'plugin') return wrong('unnamed-producer')
  }
  switch (type) {
    case 'system/message':
      return systemProblem4(data)
    case 'developer/message':
      return developerProblem(data)
    case 'tool/result':
      return resultProblem(row, data)
    default:
      return undefined
  }
}

function deferProblem(data: JsonValue | undefined): Problem | undefined {
  const header = objectIn(objectIn(data).header)
  const odd = objectsIn(header.tools).some(
    (tool) => tool.deferLoading !== undefined && tool.deferLoading !== true,
  )
  return odd ? wrong('defer-loading') : undefined
}

function systemProblem4(data: JsonObject): Problem | undefined {
  if (!isPositive(data.turn)) return wrong('turn')
  if (!isPositive(data.step)) return wrong('step')
  const { message } = data
  if (!isJsonObject(message) || !isName(message.id)) return wrong('no-message-id')
  if (message.role !== 'system') return wrong('role', 'system')
  return contentProblem(message.content)
}

function developerProblem(data: JsonObject): Problem | undefined {
  const { message } = data
  if (
    !isPositive(data.turn) ||
    !isPositive(data.step) ||
    !isJsonObject(message) ||
    message.role !== 'developer'
  ) {
    return wrong('developer-message')
  }
  const content = objectsIn(message.content)
  const additions = content.filter((block) => block.type === 'tool-addition')
  for (const block of content) {
    if (block.type !== 'tool-addition' && block.type !== 'tool-removal') continue
    if (!isName(block.toolName)) return wrong('no-tool-name', block.type)
    if (Object.hasOwn(block, 'tool')) return wrong('tool-defined', block.type)
  }
  if (additions.length > 0) return isCount(data.headerSeq) ? undefined : wrong('header-seq')
  return Object.hasOwn(data, 'headerSeq') ? wrong('unneeded-header-seq') : undefined
}

function resultProblem(row: JsonObject, data: JsonObject): Problem | undefined {
  const { message, error } = data
  if (!isJsonObject(message) || !isName(message.id)) return wrong('no-message-id')
  const { source } = message
  if (message.role !== 'tool') return wrong('role', 'tool')
  if (!isJsonObject(source) || source.kind !== 'tool' || !isName(source.callId)) return wrong('tool-source')
  if (message.toolCallId !== source.callId) return wrong('call-ids')
  if (!Array.isArray(message.content)) return wrong('no-content')
  if (message.isError !== undefined && typeof message.isError !== 'boolean') return wrong('error-flag')
  if (error !== undefined && message.isError !== true) return wrong('error-unmarked')
  return forkedProblem(row, message)
}

/** A not-started result that a fork wrote names itself, its call and its place. */
function forkedProblem(row: JsonObject, message: JsonObject): Problem | undefined {
  if (!isNotStarted(row.data) || !isForkedResultId(message.id)) return undefined
  const { surfaceOp: op, sourceEventSeqs: sources, seq } = row
  const isAppend = op === 'append'
  const cited = Array.isArray(sources) && sources.length === 1 ? sources[0] : undefined
  const at = isAppend ? seq : cited
  const sound =
    row.data.error.name === NOT_STARTED.error.name &&
    (isAppend ? sources === undefined : isCount(cited)) &&
    message.id === forkedResultId(message.toolCallId, at) &&
    isOneText(message.content)
  return sound ? undefined : wrong('forked-result')
}

export function isOneText(content: JsonValue | undefined): boolean {
  const blocks = objectsIn(content)
  return blocks.length === 1 && Array.isArray(content) && content.length === 1 && blocks[0]?.type === 'text'
}

// Shared -----------------------------------------------------------------------------------------------------------

/** Ordinary blocks: known ones need their members, others are opaque. */
function contentProblem(content: JsonValue | undefined): Problem | undefined {
  if (!Array.isArray(content)) return wrong('no-content')
  for (const block of content) {
    if (!isJsonObject(block) || typeof block.type !== 'string') return wrong('block-type')
    const isText = block.type === 'text' || block.type === 'reasoning'
    if (isText && typeof block.text !== 'string') return wrong('block-text', wordOf(block.type))
    if (block.type === 'tool-call' && !(isName(block.id) && isName(block.name))) return wrong('tool-call')
    if (block.type === 'image' && !isImage(block.attachment)) return wrong('image')
  }
  return undefined
}

const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

function isImage(attachment: JsonValue | undefined): boolean {
  if (!isJsonObject(attachment)) return false
  const { mediaType, bytes, width, height } = attachment
  return MEDIA_TYPES.includes(String(mediaType)) && isCount(bytes) && isPositive(width) && isPositive(height)
}

function foreignKey(object: JsonObject, known: readonly string[]): Problem | undefined {
  const foreign = Object.keys(object).find((key) => !known.includes(key))
  return foreign === undefined ? undefined : wrong('unknown-member', foreign)
}
