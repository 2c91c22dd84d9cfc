/**
 * Logs from before surface markers: no surface event carries one. The specification derives them by linear scan,
 * which is the surface that appends alone would give; shipped builds refuse such a log (format.md §5.8, §10.1).
 */

import type { SessionEvent } from '../event/session-event.ts'
import { isSurfaceEligibleType } from '../event-types/vocabulary.ts'

export function lacksMarker(event: Pick<SessionEvent, 'type' | 'surfaceOp'>): boolean {
  return event.surfaceOp === undefined && isSurfaceEligibleType(event.type)
}

/** The event as the linear scan sees it: appended where it stands. */
export function markedAsAppend(event: SessionEvent): SessionEvent {
  return lacksMarker(event) ? { ...event, surfaceOp: 'append' } : event
}

/** Whether a log has surface events and none of them is marked. */
export function isUnmarkedLog(events: Iterable<Pick<SessionEvent, 'type' | 'surfaceOp'>>): boolean {
  let unmarked = false
  for (const event of events) {
    if (!isSurfaceEligibleType(event.type)) continue
    if (event.surfaceOp !== undefined) return false
    unmarked = true
  }
  return unmarked
}
