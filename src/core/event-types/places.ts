/** Where messages and content are in the data of an event, so that code that judges them need not know the types. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { holding, type Kind, memberOf } from './kinds.ts'
import { eventType } from './vocabulary.ts'

export interface Places {
  /** The messages that the event carries, queues or quotes. */
  readonly messages: readonly JsonObject[]
  /** The blocks of their content, of content that belongs to no message, and of the stream of an answer. */
  readonly blocks: readonly JsonObject[]
}

export function placesIn(type: string, data: JsonValue | undefined): Places {
  const messages: JsonObject[] = []
  const blocks: JsonObject[] = []
  const kind = eventType(type)?.data
  if (kind !== undefined && hasPlaces(kind)) visit(kind, data, messages, blocks)
  return { messages, blocks }
}

const hasPlaces = holding('message', 'content', 'stream')

function visit(kind: Kind, value: JsonValue | undefined, messages: JsonObject[], blocks: JsonObject[]): void {
  switch (kind.kind) {
    case 'message':
      if (!isJsonObject(value)) return
      messages.push(value)
      for (const block of objectsIn(value.content)) blocks.push(block)
      return
    case 'content':
      for (const block of objectsIn(value)) blocks.push(block)
      return
    case 'stream':
      for (const block of objectsIn(value).flatMap(streamedBlocks)) blocks.push(block)
      return
    case 'list':
      if (Array.isArray(value)) for (const item of value) visit(kind.of, item, messages, blocks)
      return
    case 'object':
      if (!isJsonObject(value)) return
      for (const [key, member] of Object.entries(kind.members)) {
        const { of, early } = memberOf(member)
        if (early !== true && hasPlaces(of) && Object.hasOwn(value, key))
          visit(of, value[key], messages, blocks)
      }
      return
    case 'variants': {
      const found = isJsonObject(value) ? kind.cases[String(value[kind.by])] : undefined
      if (found !== undefined) visit(found, value, messages, blocks)
      return
    }
    default:
      return
  }
}

function streamedBlocks({ chunk }: JsonObject): readonly JsonObject[] {
  if (!isJsonObject(chunk)) return []
  if (chunk.type === 'block-end') return isJsonObject(chunk.block) ? [chunk.block] : []
  return chunk.type === 'block-start' && chunk.blockType !== undefined ? [{ type: chunk.blockType }] : []
}

function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
