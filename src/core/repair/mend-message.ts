/** What a message, an answer or a request lacks although the log tells it (format.md §4.4, §4.6). */
import type { Dialect } from '../dialect/dialect.ts'
import type { Finding } from '../findings/finding.ts'
import {
  isCount,
  isJsonObject,
  isName,
  type JsonObject,
  type JsonValue,
  objectIn,
  objectsIn,
} from '../json/json-value.ts'
import { omit, type RowContext, type RowMend } from './row-mend.ts'

type Mended = readonly [RowMend, JsonObject]

/** The row with what the finding is about put right; nothing where the log does not tell. */
export function mendMessage(
  row: JsonObject,
  { code, args }: Finding,
  dialect: Dialect,
  context: RowContext,
): Mended | undefined {
  switch (code) {
    case 'message/id-missing':
      return wrappedAnswer(row, context)
    case 'message/role-wrong':
      return ['role', withMessage(row, (message) => ({ ...message, role: args.role as JsonValue }))]
    case 'message/source-invalid':
      return withOrigin(row, dialect, context)
    case 'message/content-invalid':
      return withContent(row, dialect)
    case 'message/call-id-mismatch':
      return withCall(row, dialect, context)
    case 'message/settlement-invalid':
      return withSettlement(row, context)
    case 'message/request-invalid':
      return withRequest(row, context)
    default:
      return undefined
  }
}

/** The oldest answers have no message of their own (format.md §9.1), and the earliest do not say their model either. */
function wrappedAnswer(row: JsonObject, { model }: RowContext): Mended | undefined {
  const { data, type } = row
  if (type !== 'assistant/message' || model === undefined || !isJsonObject(data)) return undefined
  const { content } = data
  if (data.message !== undefined || !Array.isArray(content)) return undefined
  const message = { role: 'assistant', content, source: { kind: 'model', ...model } }
  return ['origin', { ...row, data: { ...omit(data, 'content'), message } as JsonObject }]
}

export function messageIn(row: JsonObject): JsonObject | undefined {
  const { data, type } = row
  if (!isJsonObject(data)) return undefined
  if (type === 'user/message') return data
  return isJsonObject(data.message) ? data.message : undefined
}

export function withMessage(row: JsonObject, change: (message: JsonObject) => JsonObject): JsonObject {
  const { data, type } = row
  const message = messageIn(row)
  if (message === undefined || !isJsonObject(data)) return row
  return { ...row, data: type === 'user/message' ? change(message) : { ...data, message: change(message) } }
}

function sourceOf(message: JsonObject | undefined): JsonObject {
  return isJsonObject(message?.source) ? message.source : {}
}

function withOrigin(row: JsonObject, dialect: Dialect, context: RowContext): Mended | undefined {
  const message = messageIn(row)
  const source = originOf(row, message, dialect, context)
  if (source === undefined) return undefined
  return ['origin', withMessage(row, (message) => ({ ...message, source }))]
}

function originOf(
  row: JsonObject,
  message: JsonObject | undefined,
  { version }: Dialect,
  context: RowContext,
): JsonObject | undefined {
  const stored = sourceOf(message)
  switch (row.type) {
    case 'tool/result': {
      const callId = answeredCall(row, context)
      return callId === undefined ? undefined : { kind: 'tool', callId }
    }
    case 'assistant/message': {
      const { provider, model } = stored
      const told = isName(provider) && isName(model) ? { provider, model } : context.model
      const { replayState } = stored
      return told && { kind: 'model', ...told, ...(replayState !== undefined && { replayState }) }
    }
    case 'system/message':
      return version === 3
        ? { kind: 'plugin', plugin: '@deepseek-ai/dsh-system-prompt' }
        : { kind: 'system-prompt' }
    default:
      return undefined
  }
}

/** The call that a result answers, as the row itself or the start that it cites tells it. */
function answeredCall(row: JsonObject, context: RowContext): string | undefined {
  const message = messageIn(row)
  const [block] = objectsIn(message?.content)
  const named = [message?.toolCallId, block?.toolCallId, sourceOf(message).callId].filter(isName)
  const cited = citedCall(row, context)
  const waiting = named.find((callId) => context.waiting.includes(callId))
  if (cited !== undefined && (named.length === 0 || named.includes(cited))) return cited
  return waiting ?? cited ?? named[0]
}

export function citedCall({ sourceEventSeqs: sources }: JsonObject, context: RowContext): string | undefined {
  if (!Array.isArray(sources)) return undefined
  return sources.map((seq) => (isCount(seq) ? context.callAt(seq) : undefined)).find(isName)
}

export function withCall(row: JsonObject, { toolRole }: Dialect, context: RowContext): Mended | undefined {
  const callId = answeredCall(row, context)
  if (callId === undefined) return undefined
  const mended = withMessage(row, (message) => {
    const source = { ...sourceOf(message), callId }
    if (toolRole) return { ...message, toolCallId: callId, source }
    const content = objectsIn(message.content).map((block) => ({ ...block, toolCallId: callId }))
    return { ...message, source, content }
  })
  return ['call', mended]
}

function withContent(row: JsonObject, { toolRole }: Dialect): Mended | undefined {
  const content = messageIn(row)?.content
  const isWrapped = row.type === 'tool/result' && !toolRole
  const told = isWrapped ? wrapped(row, content) : listOf(content)
  if (told === undefined) return undefined
  return ['content', withMessage(row, (message) => ({ ...message, content: told }))]
}

/** A text or a single block where a list of blocks has to be. */
function listOf(content: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return isJsonObject(content) && typeof content.type === 'string' ? [content] : undefined
}

/** Everything that a result says, in the one wrapper that it has to have. */
function wrapped(row: JsonObject, content: JsonValue | undefined): readonly JsonValue[] | undefined {
  const list = Array.isArray(content) ? content : listOf(content)
  if (list === undefined) return undefined
  const callId = sourceOf(messageIn(row)).callId
  const wrappers = objectsIn(list).filter(({ type }) => type === 'tool-result')
  const own = wrappers.find(({ toolCallId }) => toolCallId === callId) ?? wrappers[0]
  const inner = list.flatMap((block): readonly JsonValue[] => {
    if (objectIn(block).type !== 'tool-result') return [block]
    return Array.isArray(block.content) ? block.content : (listOf(block.content) ?? [])
  })
  return [{ type: 'tool-result', toolCallId: callId ?? '', ...own, content: inner } as JsonObject]
}

/** Answers that were imported have no stream, and the empty one says so. */
function withSettlement(row: JsonObject, { turn, step }: RowContext): Mended | undefined {
  const { data } = row
  if (!isJsonObject(data)) return undefined
  const place = { turn: countIn(data.turn) ?? turn, step: countIn(data.step) ?? step }
  if (place.turn === undefined || place.step === undefined) return undefined
  const isPlaced = place.turn === data.turn && place.step === data.step
  const stream = isPlaced || !Array.isArray(data.stream) ? [] : data.stream
  return ['settlement', { ...row, data: { ...data, ...place, stream } as JsonObject }]
}

function countIn(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return isCount(number) ? number : undefined
}

const REASONS: ReadonlySet<unknown> = new Set(['initial', 'resume', 'change', 'series'])

function withRequest(row: JsonObject, context: RowContext): Mended | undefined {
  const { data } = row
  if (!isJsonObject(data) || !isJsonObject(data.header)) return undefined
  const { header } = data
  const stored = objectIn(header.config)
  const isNamed = isName(stored.provider) && isName(stored.model)
  const told = isNamed ? {} : context.model
  if (told === undefined) return undefined
  const effort = stored.reasoningEffort
  const config = {
    ...(effort === undefined || isName(effort) ? stored : omit(stored, 'reasoningEffort')),
    ...told,
  }
  const reason = REASONS.has(data.reason) ? data.reason : context.hasRequest ? 'change' : 'initial'
  const isEmpty = Array.isArray(header.tools) && header.tools.length === 0
  const bare = omit(header, 'adapterDefaults', ...(isEmpty ? ['tools'] : []))
  const defaults = soundDefaults(header.adapterDefaults, config)
  const rest = data.startsSeries === true ? data : omit(data, 'startsSeries')
  const changed = { ...rest, header: { ...bare, config, ...defaults }, reason } as JsonObject
  return ['request', { ...row, data: changed }]
}

function soundDefaults(defaults: JsonValue | undefined, config: JsonObject): JsonObject {
  if (!isJsonObject(defaults)) return {}
  const sound = Object.entries(defaults).filter(
    ([key, mark]) =>
      (key === 'reasoningEffort' || key === 'maxTokens') && mark === true && config[key] !== undefined,
  )
  return sound.length === 0 ? {} : { adapterDefaults: Object.fromEntries(sound) }
}
