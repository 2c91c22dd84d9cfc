/**
 * Logs from before surface markers: no surface event carries one. The specification derives them by linear scan,
 * which is the surface that appends alone would give; shipped builds refuse such a log (format.md §5.8, §10.1).
 */
import type { SessionEvent } from '../event/session-event.ts'
import { surfaceTypes } from '../event-types/vocabulary.ts'

type Marked = Pick<SessionEvent, 'type' | 'surfaceOp' | 'ignorable'>

const FORMAT_0 = surfaceTypes(0)

/** Only an event that each reader of the format puts on the surface says anything about markers. */
export function isOfSurface({ type, ignorable }: Marked, types: ReadonlySet<string> = FORMAT_0): boolean {
  return ignorable !== true && types.has(type)
}

export function lacksMarker(event: Marked, types: ReadonlySet<string> = FORMAT_0): boolean {
  return event.surfaceOp === undefined && isOfSurface(event, types)
}

/** The event as the linear scan sees it: appended where it is. */
export function markedAsAppend(event: SessionEvent, types: ReadonlySet<string> = FORMAT_0): SessionEvent {
  return lacksMarker(event, types) ? { ...event, surfaceOp: 'append' } : event
}

/** Whether a log has surface events and none of them is marked. */
export function isUnmarkedLog(events: Iterable<Marked>): boolean {
  let unmarked = false
  for (const event of events) {
    if (!isOfSurface(event)) continue
    if (event.surfaceOp !== undefined) return false
    unmarked = true
  }
  return unmarked
}
