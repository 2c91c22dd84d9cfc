/** Questions about one event that need no replay (format.md §8.1). */
import { advertisedCalls, messageOf, type SessionEvent } from '../event/session-event.ts'
import { isSurfaceEligibleType } from '../event-types/vocabulary.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'

type Marked = Pick<SessionEvent, 'type' | 'surfaceOp'>

/** Whether the event entered the surface at the tail: the durable source of the human transcript. */
export function isAppendSurfaceEvent(event: Marked): boolean {
  return isSurfaceEligibleType(event.type) && event.surfaceOp === 'append'
}

/** Whether the event is a model-only copy that took the place of earlier nodes. */
export function isReplacementSurfaceEvent(event: Marked): boolean {
  return isSurfaceEligibleType(event.type) && event.surfaceOp !== undefined && event.surfaceOp !== 'append'
}

/** Whether a message source is that of a compaction checkpoint, whichever backend wrote it. */
export function isCompactCheckpointSource(source: JsonValue | undefined): boolean {
  if (!isJsonObject(source)) return false
  return source.kind === 'compact-checkpoint' || (source.kind === 'plugin' && source.plugin === 'compact')
}

/** Whether the event is a landed compaction: a user message with a checkpoint source that replaces. */
export function isCompactCheckpoint(event: SessionEvent): boolean {
  return (
    event.type === 'user/message' &&
    isReplacementSurfaceEvent(event) &&
    isCompactCheckpointSource(messageOf(event)?.source)
  )
}

/** Ids of the tool calls that append-origin assistant messages advertised. */
export function transcriptToolCallIds(events: Iterable<SessionEvent>): Set<string> {
  const ids = new Set<string>()
  for (const event of events) {
    if (!isAppendSurfaceEvent(event)) continue
    for (const call of advertisedCalls(event)) ids.add(call.id)
  }
  return ids
}
