/**
 * What an event says, whatever its number and that of the others: the event without its seq and without every seq of
 * another event that it names (format.md §4.2, §4.3). Two events with the same content are the same event, even where one
 * log numbers them otherwise.
 */
import type { SessionEvent } from '../event/session-event.ts'
import { dataWithoutReferences } from '../event-types/references.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'

/** The event but for its own seq. */
export function unnumbered({ seq: _, ...event }: SessionEvent): JsonObject {
  return event as unknown as JsonObject
}

/** The event without any seq; `undefined` when it names no other event, so that {@link unnumbered} says it all. */
export function contentWithoutReferences(event: SessionEvent): JsonObject | undefined {
  const data = dataWithoutReferences(event.type, event.data)
  const surfaceOp = event.surfaceOp as JsonValue | undefined
  if (event.sourceEventSeqs === undefined && !isJsonObject(surfaceOp) && data === undefined) return undefined
  const { sourceEventSeqs: _, ...content } = unnumbered(event)
  return {
    ...content,
    ...(isJsonObject(surfaceOp) && { surfaceOp: withoutEnds(surfaceOp) }),
    ...(data !== undefined && { data }),
  }
}

function withoutEnds({
  start: _,
  end: __,
  startSeq: ___,
  endSeq: ____,
  ...operation
}: JsonObject): JsonObject {
  return operation
}
