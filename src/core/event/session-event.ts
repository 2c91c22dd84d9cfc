/**
 * The event model of the surface specification: an immutable header and an append-only list of events.
 * `surfaceOp` says how an event entered the surface, `sourceEventSeqs` which earlier events it was built from.
 * The types describe a well-formed log; whether a stored one is, the decoders and the surface rules decide.
 */
import { type JsonObject, type JsonValue, objectIn, objectsIn, stringIn } from '../json/json-value.ts'

/** `append` joins the tail; `replace` takes the place of the nodes from `start` through `end`, both inclusive. */
export type SurfaceOp = 'append' | ReplaceOp

/** The surface operation that puts an event in the place of others (format.md §5). */
export type ReplaceOp = {
  readonly op: 'replace'
  /** Seq of the first replaced node. Position counts, not number: `start` may be greater than `end`. */
  readonly start: number
  readonly end: number
}

/** One event of a session, as the log has it (format.md §2.3). */
export interface SessionEvent<Type extends string = string, Data extends JsonValue = JsonValue> {
  readonly type: Type
  /** Index in the log, contiguous from 0. */
  readonly seq: number
  /** Milliseconds since the epoch; may go backwards. */
  readonly time: number
  readonly data: Data
  /** A `SurfaceOp` in a well-formed log. */
  readonly surfaceOp?: JsonValue
  /**
   * Earlier seqs this event was built from. `[]` means a known empty stream, absent means not recorded. A stored event may
   * hold anything here: the surface rules judge it, everybody else asks `citedSeqs`.
   */
  readonly sourceEventSeqs?: JsonValue
  /** A reader that does not know `type` may skip the event. */
  readonly ignorable?: true
}

/** The first record of a log (format.md §2.2). */
export interface SessionHeader {
  readonly type: 'session'
  readonly version: number
  readonly id: string
  readonly createdAt: number
  readonly delegationDepth?: number
  readonly cwd?: string
  readonly parentSession?: string
  /** Number of leading inherited events of a fork (formats 0 and 1). */
  readonly seedLength?: number
  /** Whether the log starts with inherited events (formats 2 and later). */
  readonly isSeeded?: boolean
  readonly origin?: 'subagent'
  readonly agentPreset?: string
}

/** A message as the model gets it. Extra members are kept. */
export interface Message extends JsonObject {
  readonly id: string
  readonly role: string
  readonly content: readonly ContentBlock[]
  readonly source: MessageSource
}

/** A part of a message: text, reasoning, a tool call, an image (format.md §4.1). */
export interface ContentBlock extends JsonObject {
  readonly type: string
}

/** Who a message comes from: the user, a plugin, the program itself (format.md §4.1). */
export interface MessageSource extends JsonObject {
  readonly kind: string
}

/** The message an event carries, wherever its type keeps it; `undefined` when there is no object there. */
export function messageOf(event: Pick<SessionEvent, 'type' | 'data'>): JsonObject | undefined {
  const { data } = event
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  const object = data as JsonObject
  if (event.type === 'user/message' || event.type === 'context/message') return object
  const { message } = object
  return typeof message === 'object' && message !== null && !Array.isArray(message)
    ? (message as JsonObject)
    : undefined
}

/** The objects among the content blocks of a message. */
export function blocksOf(message: JsonObject | undefined): readonly JsonObject[] {
  return objectsIn(message?.content)
}

/** A tool call advertised by an assistant message. */
export interface AdvertisedCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** The tool calls an assistant message advertises, in content order. */
export function advertisedCalls(event: Pick<SessionEvent, 'type' | 'data'>): readonly AdvertisedCall[] {
  return event.type === 'assistant/message' ? callsIn(messageOf(event)?.content) : []
}

/** The tool calls among content blocks, in their order. */
export function callsIn(content: JsonValue | undefined): readonly AdvertisedCall[] {
  const calls: AdvertisedCall[] = []
  for (const block of objectsIn(content)) {
    if (block.type !== 'tool-call') continue
    calls.push({
      id: stringIn(block.id),
      name: stringIn(block.name),
      arguments: stringIn(block.arguments),
    })
  }
  return calls
}

/** The call id a `tool/result` answers. */
export function answeredCallId(event: Pick<SessionEvent, 'type' | 'data'>): string | undefined {
  if (event.type !== 'tool/result') return undefined
  const { callId } = objectIn(messageOf(event)?.source)
  return typeof callId === 'string' ? callId : undefined
}

/** The seqs that an event names as its sources, whatever is stored there. */
export function citedSeqs({
  sourceEventSeqs: sources,
}: Pick<SessionEvent, 'sourceEventSeqs'>): readonly number[] {
  if (!Array.isArray(sources)) return []
  return sources.every((seq) => typeof seq === 'number')
    ? sources
    : sources.filter((seq) => typeof seq === 'number')
}
