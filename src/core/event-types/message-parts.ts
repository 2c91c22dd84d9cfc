/** Where messages and content are in the data of an event, so that code that judges them need not know the types. */
import { isJsonObject, type JsonObject, type JsonValue, objectIn, wordOf } from '../json/json-value.ts'
import { holding, type Kind, memberOf, type ObjectKind } from './kinds.ts'
import { eventType } from './vocabulary.ts'

export interface MessageParts {
  /** The messages that the event carries, queues or quotes. */
  readonly messages: readonly JsonObject[]
  /** The blocks of their content, of content that belongs to no message, and of the stream of an answer. */
  readonly blocks: readonly JsonObject[]
}

export function messagePartsIn(type: string, data: JsonValue | undefined): MessageParts {
  const messages: JsonObject[] = []
  const blocks: JsonObject[] = []
  const kind = eventType(type)?.data
  if (kind !== undefined && mayHoldThem(kind)) visit(kind, data, messages, blocks)
  return { messages, blocks }
}

const mayHoldThem = holding('message', 'content', 'stream')

function visit(kind: Kind, value: JsonValue | undefined, messages: JsonObject[], blocks: JsonObject[]): void {
  switch (kind.kind) {
    case 'message':
      if (!isJsonObject(value)) return
      messages.push(value)
      addObjects(value.content, blocks)
      return
    case 'content':
      addObjects(value, blocks)
      return
    case 'stream':
      if (Array.isArray(value)) for (const record of value) addStreamed(record, blocks)
      return
    case 'list':
      if (Array.isArray(value)) for (const item of value) visit(kind.of, item, messages, blocks)
      return
    case 'object':
      if (!isJsonObject(value)) return
      for (const [key, of] of holdingMembers(kind))
        if (Object.hasOwn(value, key)) visit(of, value[key], messages, blocks)
      return
    case 'variants': {
      const found = isJsonObject(value) ? kind.cases[wordOf(value[kind.by])] : undefined
      if (found !== undefined) visit(found, value, messages, blocks)
      return
    }
    default:
      return
  }
}

const knownMembers = new Map<ObjectKind, readonly (readonly [string, Kind])[]>()

/** The members of an object that can hold messages or content. */
function holdingMembers(kind: ObjectKind): readonly (readonly [string, Kind])[] {
  const known = knownMembers.get(kind)
  if (known !== undefined) return known
  const found = Object.entries(kind.members).flatMap(([key, member]) => {
    const { of, early } = memberOf(member)
    return early !== true && mayHoldThem(of) ? [[key, of] as const] : []
  })
  knownMembers.set(kind, found)
  return found
}

function addStreamed(record: JsonValue, blocks: JsonObject[]): void {
  const chunk = objectIn(record).chunk
  if (!isJsonObject(chunk)) return
  if (chunk.type === 'block-end') {
    if (isJsonObject(chunk.block)) blocks.push(chunk.block)
  } else if (chunk.type === 'block-start' && chunk.blockType !== undefined)
    blocks.push({ type: chunk.blockType })
}

function addObjects(list: JsonValue | undefined, objects: JsonObject[]): void {
  if (Array.isArray(list)) for (const item of list) if (isJsonObject(item)) objects.push(item)
}
