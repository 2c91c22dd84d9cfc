/** Small changes inside one stored row, as data: what a repair sets, and nothing else about the row. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { type MemberEdit, withMembers } from '../json/member-edit.ts'
import { omit } from './row-mend.ts'

export interface MessageIdPatch {
  readonly kind: 'message-id'
  /** Made when it is asked for: there may be very many. */
  readonly id: string
  /** What is wrong with the id that it had. */
  readonly problem: 'missing' | 'repeated'
}

/** Members of the surface as they have to be; an absent one is taken away. */
export interface SurfacePatch {
  readonly kind: 'surface'
  readonly surfaceOp: JsonValue | undefined
  readonly sourceEventSeqs: readonly number[] | undefined
  readonly data?: JsonValue
}

export type RowPatch =
  | MessageIdPatch
  | SurfacePatch
  /** Ids or names of announced calls, by the position of their block. */
  | { readonly kind: 'call-blocks'; readonly blocks: ReadonlyMap<number, Readonly<Record<string, string>>> }
  | { readonly kind: 'call-id'; readonly callId: string }
  | { readonly kind: 'ignorable' }
  /** A message that says in words what a tool result said. */
  | {
      readonly kind: 'result-note'
      readonly id: string
      readonly source: JsonObject
      readonly content: readonly JsonValue[]
    }
  | { readonly kind: 'inbox'; readonly start: number; readonly removedCount: number }
  | { readonly kind: 'members'; readonly changes: readonly MemberEdit[] }

export function patchRow(row: JsonObject, patch: RowPatch): JsonObject {
  switch (patch.kind) {
    case 'surface': {
      const { surfaceOp, sourceEventSeqs, data } = patch
      return {
        ...omit(row, 'surfaceOp', 'sourceEventSeqs'),
        ...(data !== undefined && { data }),
        ...(sourceEventSeqs !== undefined && { sourceEventSeqs }),
        ...(surfaceOp !== undefined && { surfaceOp }),
      }
    }
    case 'result-note': {
      const { id, source, content } = patch
      const plain = row.surfaceOp === 'append' ? omit(row, 'sourceEventSeqs') : row
      return { ...plain, type: 'user/message', data: { id, role: 'user', source, content } }
    }
    case 'ignorable':
      return { ...row, ignorable: true }
    case 'inbox': {
      const { start, removedCount } = patch
      return withData(row, (data) => ({
        ...data,
        start,
        ...(data.removedCount !== undefined && { removedCount }),
        ...(!Array.isArray(data.inserted) && { inserted: [] }),
      }))
    }
    case 'message-id':
      return withMessage(row, (message) => ({ ...message, id: patch.id }))
    case 'call-blocks':
      return withMessage(row, (message) => ({
        ...message,
        content: mapBlocks(message.content, (block, index) => ({ ...block, ...patch.blocks.get(index) })),
      }))
    case 'members':
      return withMembers(row, patch.changes)
    case 'call-id':
      return withData(row, (data) =>
        // The start of a call names it itself, and so does a result of the oldest shape.
        isJsonObject(data.message)
          ? { ...data, message: answering(data.message, patch.callId) }
          : { ...data, callId: patch.callId },
      )
  }
}

/** A result names its call in the source, and in its wrapper or, in format 4, on the message. */
function answering(message: JsonObject, callId: string): JsonObject {
  const { source, content } = message
  return {
    ...message,
    ...(isJsonObject(source) && { source: { ...source, callId } }),
    ...(message.toolCallId !== undefined && { toolCallId: callId }),
    content: mapBlocks(content, (block) =>
      block.type === 'tool-result' ? { ...block, toolCallId: callId } : block,
    ),
  }
}

function mapBlocks(
  content: JsonValue | undefined,
  change: (block: JsonObject, index: number) => JsonObject,
): JsonValue | undefined {
  if (!Array.isArray(content)) return content
  return content.map((block, index) => (isJsonObject(block) ? change(block, index) : block))
}

function withData(row: JsonObject, change: (data: JsonObject) => JsonObject): JsonObject {
  return isJsonObject(row.data) ? { ...row, data: change(row.data) } : row
}

/** A user message is the data of its event, as any message of the oldest shape (format.md §9.1); others are a member. */
function withMessage(row: JsonObject, change: (message: JsonObject) => JsonObject): JsonObject {
  return withData(row, (data) => {
    if (row.type === 'user/message') return change(data)
    if (isJsonObject(data.message)) return { ...data, message: change(data.message) }
    return Array.isArray(data.content) ? change(data) : data
  })
}
