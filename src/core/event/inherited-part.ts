/** Where the inherited part of a fork ends (format.md §5.7): by the header in formats 0 and 1, by a marker later. */
import { objectIn } from '../json/json-value.ts'
import type { SessionEvent, SessionHeader } from './session-event.ts'

/** First own seq, as far as the log up to `event` tells; `known` is what it told before. */
export function inheritedBefore(
  event: SessionEvent,
  header: SessionHeader | undefined,
  known: number,
): number {
  if (header?.seedLength !== undefined) return header.seedLength
  return isInheritedMarker(event) ? event.seq : known
}

export function isInheritedMarker({ type, data }: SessionEvent): boolean {
  return type === 'session/end-seed' && objectIn(data).inherited === true
}
