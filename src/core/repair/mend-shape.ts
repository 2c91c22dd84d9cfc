/** Shapes of another format in a row of formats 3 and 4, and older shapes with a fault (format.md §4.5, §4.6, §9). */
import { isForeignToolChange } from '../dialect/admission.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { messagePartsIn } from '../event-types/message-parts.ts'
import {
  isCount,
  isJsonObject,
  isName,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from '../json/json-value.ts'
import { messageIn, withMessage } from './mend-message.ts'
import { omit, type RowContext } from './row-mend.ts'

/** The row as a reader of formats 3 and 4 takes it, where what it says can be said so. */
export function mendShape(row: JsonObject, dialect: Dialect, context: RowContext): JsonObject | undefined {
  const { type, data } = row
  if (!isJsonObject(data)) return undefined
  const fit = dialect.toolRole ? withFitBlocks(row) : row
  if (fit !== row) return fit
  switch (type) {
    case 'request/header':
      return isJsonObject(data.header)
        ? { ...row, data: { ...data, header: requestWithoutRetired(data.header) } }
        : undefined
    case 'developer/message':
      return dialect.toolRole ? withBareToolChanges(row) : undefined
    case 'tool/result':
      return dialect.toolRole ? withToolRole(row) : withErrorMark(row)
    case 'system/message':
      return withPlace(withSystemShape(row, dialect), context)
    case 'user/message':
    case 'assistant/message':
      return dialect.toolRole ? withProducer(row) : undefined
    default:
      return undefined
  }
}

/**
 * Blocks that format 4 does not take where they are: what a result wraps stays without its wrapper, and a change of tools
 * is taken out of what nobody reads one from, unless nothing else is there.
 */
function withFitBlocks(row: JsonObject): JsonObject {
  const { type, data } = row
  // The stream of an answer repeats its blocks, and a result has a wrapper of its own in earlier formats.
  if (typeof type !== 'string' || type === 'assistant/message' || type === 'tool/result') return row
  const unfit = new Set<JsonValue>()
  for (const block of messagePartsIn(type, data).blocks)
    if (block.type === 'tool-result' || isForeignToolChange(type, block)) unfit.add(block)
  return unfit.size === 0 ? row : { ...row, data: withoutBlocks(data as JsonObject, unfit) }
}

/** Messages and their content are never deeper in the data of an event. */
const MOST_LEVELS = 8

function withoutBlocks(value: JsonValue, unfit: ReadonlySet<JsonValue>, level = 0): JsonValue {
  if (level === MOST_LEVELS) return value
  if (Array.isArray(value)) {
    const fit = value.flatMap((item): readonly JsonValue[] =>
      unfit.has(item) ? wrappedIn(item as JsonObject) : [withoutBlocks(item, unfit, level + 1)],
    )
    return fit.length === 0 ? value : fit
  }
  if (!isJsonObject(value)) return value
  const members = Object.entries(value) as [string, JsonValue][]
  return Object.fromEntries(members.map(([key, item]) => [key, withoutBlocks(item, unfit, level + 1)]))
}

function wrappedIn({ content }: JsonObject): readonly JsonValue[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' ? [{ type: 'text', text: content }] : []
}

/** A change of tools names a tool of a request, and no more. */
function withBareToolChanges(row: JsonObject): JsonObject {
  const bare = withMessage(row, (message) => ({
    ...message,
    content: Array.isArray(message.content)
      ? message.content.map((block) => (isJsonObject(block) ? omit(block, 'tool') : block))
      : (message.content as JsonValue),
  }))
  const data = bare.data as JsonObject
  const adds = objectsIn(messageIn(bare)?.content).some(({ type }) => type === 'tool-addition')
  return { ...bare, data: adds ? data : omit(data, 'headerSeq') }
}

function requestWithoutRetired(header: JsonObject): JsonObject {
  const isEmpty = (value: JsonValue | undefined): boolean =>
    isJsonObject(value) ? Object.keys(value).length === 0 : Array.isArray(value) && value.length === 0
  const empty = ['tools', 'adapterDefaults'].filter((member) => isEmpty(header[member]))
  return omit(header, 'system', ...empty)
}

/** A result of formats 0 to 3 is in a wrapper; format 4 has the same on the message. */
function withToolRole(row: JsonObject): JsonObject {
  const data = isJsonObject(row.data) ? row.data : {}
  return withMessage(row, (message) => {
    const content = Array.isArray(message.content) ? message.content : []
    const wrapper = content.filter(isJsonObject).find(({ type }) => type === 'tool-result') ?? {}
    const source = isJsonObject(message.source) ? message.source : {}
    const named = [message.toolCallId, wrapper.toolCallId, source.callId]
    // An empty id stays: the call gets one, and its result with it.
    const callId = named.find(isName) ?? named.find((id) => id === '')
    const inner = content.flatMap((block): readonly JsonValue[] =>
      isJsonObject(block) && block.type === 'tool-result' && Array.isArray(block.content)
        ? block.content
        : [block],
    )
    const failed = data.error !== undefined || message.isError === true || wrapper.isError === true
    return {
      ...omit(message, 'isError'),
      role: 'tool',
      source: { kind: 'tool', ...(callId !== undefined && { callId }) },
      ...(callId !== undefined && { toolCallId: callId }),
      content: inner,
      ...(failed && { isError: true }),
    } as JsonObject
  })
}

/** A result with the data of an error is one. */
function withErrorMark(row: JsonObject): JsonObject | undefined {
  if (!isJsonObject(row.data) || row.data.error === undefined) return undefined
  return withMessage(row, (message) => ({
    ...message,
    content: Array.isArray(message.content)
      ? message.content.map((block) => (isJsonObject(block) ? { ...block, isError: true } : block))
      : (message.content as JsonValue),
  }))
}

function withSystemShape(row: JsonObject, { version }: Dialect): JsonObject {
  const source =
    version === 3 ? { kind: 'plugin', plugin: '@deepseek-ai/dsh-system-prompt' } : { kind: 'system-prompt' }
  const plain = withMessage(row, ({ id, content }) => ({
    ...(id !== undefined && { id }),
    role: 'system',
    source,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []),
  }))
  const { turn, step, message } = plain.data as JsonObject
  return { ...plain, data: { turn, step, message } as JsonObject }
}

function withPlace(row: JsonObject, { turn, step }: RowContext): JsonObject {
  const data = row.data as JsonObject
  const place = {
    turn: isCount(data.turn) && data.turn > 0 ? data.turn : turn,
    step: isCount(data.step) && data.step > 0 ? data.step : step,
  }
  return { ...row, data: { ...data, ...place } as JsonObject }
}

/** The producers that format 4 has names of its own for (format.md §9.5). */
const PRODUCERS: Readonly<Record<string, string>> = {
  compact: 'compact-checkpoint',
  'tools-code-mode': 'ptc-mode',
  'tools-ptc': 'ptc-mode',
  'dsh-compaction-basic': 'compact-basic',
  '@deepseek-ai/dsh-system-prompt': 'runtime-context',
}

function withProducer(row: JsonObject): JsonObject | undefined {
  const source = messageIn(row)?.source
  if (!isJsonObject(source) || source.kind !== 'plugin' || typeof source.plugin !== 'string') return undefined
  const { plugin } = source
  const kind = Object.hasOwn(PRODUCERS, plugin) ? (PRODUCERS[plugin] as string) : `plugin:${plugin}`
  return withMessage(row, (message) => ({ ...message, source: { ...omit(source, 'plugin'), kind } }))
}

/** Turn brackets of format 0 with members that no build has: what the bracket says stays (format.md §9.1). */
export function mendTurn(row: JsonObject, { turn: open }: RowContext): JsonObject | undefined {
  const { type, data } = row
  if (type === 'turn/start' && isJsonObject(data)) {
    return isCount(data.turn) ? { ...row, data: { turn: data.turn } } : undefined
  }
  if (type !== 'turn/end') return undefined
  const stored = isJsonObject(data) ? data : {}
  const turn = isCount(stored.turn) && stored.turn > 0 ? stored.turn : open
  return turn === undefined ? undefined : { ...row, data: { turn, reason: reasonIn(stored.reason) } }
}

const BARE: ReadonlySet<unknown> = new Set(['completed', 'blocked', 'max-tokens', 'interrupted'])

/** How a turn ended; a turn that ended in a way the log does not tell was interrupted, as for DSH. */
function reasonIn(reason: JsonValue | undefined): JsonObject {
  const told = isJsonObject(reason) ? reason : {}
  const kind = typeof reason === 'string' ? reason : told.kind
  if (BARE.has(kind)) return { kind: kind as string }
  if (kind === 'aborted' || kind === 'disposed')
    return { kind: 'aborted', reason: { kind: kind === 'disposed' ? 'disposed' : 'legacy' } }
  if (kind !== 'error') return { kind: 'interrupted' }
  const failure = [told.error, told.failure, told].filter(isJsonObject).find(({ message }) => isName(message))
  const { message, code } = failure ?? {}
  return {
    kind: 'error',
    error: { message: isName(message) ? message : '', code: isName(code) ? code : 'UNKNOWN' },
  }
}
