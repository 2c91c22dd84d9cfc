/**
 * What an event says, whatever its number and that of the others: the event without its seq and without every seq of
 * another event that it names (format.md §4.2, §4.3). Two events with the same content are the same event, even where one
 * log numbers them otherwise. Where a reference may stand is what `repair/renumber-row.ts` renames.
 */

import type { SessionEvent } from '../event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'

/** Members of the data that name other events, by type of event. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  'compaction/summary': ['shadowedSeqs', 'shadowedRange'],
  'compaction/prune': ['shadowedSeqs', 'shadowedRange'],
  'compact/summary': ['shadowedSeqs', 'shadowedRange'],
  'session/title': ['messageSeqs'],
  'session/title-llm-request': ['messageSeqs'],
  'command/done': ['sourceEventSeq'],
  'developer/message': ['headerSeq'],
  'image/offload': ['targets'],
}

/** The event but for its own seq. */
export function unnumbered({ seq: _, ...event }: SessionEvent): JsonObject {
  return event as unknown as JsonObject
}

/** The event without any seq; `undefined` when it names no other event, so that {@link unnumbered} says it all. */
export function contentWithoutReferences(event: SessionEvent): JsonObject | undefined {
  const { type, data } = event
  const surfaceOp = event.surfaceOp as JsonValue | undefined
  const members = Object.hasOwn(REFERENCES, type) ? (REFERENCES[type] as readonly string[]) : []
  const inData = isJsonObject(data) && members.some((member) => Object.hasOwn(data, member))
  if (event.sourceEventSeqs === undefined && !isJsonObject(surfaceOp) && !inData) return undefined
  const { sourceEventSeqs: _, ...content } = unnumbered(event)
  return {
    ...content,
    ...(isJsonObject(surfaceOp) && { surfaceOp: without(surfaceOp, ENDS) }),
    ...(inData && { data: without(data, members) }),
  }
}

const ENDS: readonly string[] = ['start', 'end', 'startSeq', 'endSeq']

function without(object: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      if (!members.includes(key)) return [[key, value]]
      // Which images of a message are taken away is said beside its seq.
      return key === 'targets' && Array.isArray(value) ? [[key, value.map(targetWithoutSeq)]] : []
    }),
  )
}

function targetWithoutSeq(target: JsonValue): JsonValue {
  return isJsonObject(target) ? without(target, ['seq']) : target
}
