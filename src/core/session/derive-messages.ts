/** What one event says to the model (format.md §5.6). */
import { messageOf, type SessionEvent } from '../event/session-event.ts'
import { isSurfaceEligibleType } from '../event-types/vocabulary.ts'
import type { JsonObject } from '../json/json-value.ts'

/** The message of a surface event; `undefined` for a log-only event, and for an assistant, system or
 * developer message without content. */
export function deriveEventMessage(event: Pick<SessionEvent, 'type' | 'data'>): JsonObject | undefined {
  if (!isSurfaceEligibleType(event.type)) return undefined
  const message = messageOf(event)
  if (event.type === 'user/message' || event.type === 'tool/result') return message
  const content = message?.content
  return Array.isArray(content) && content.length === 0 ? undefined : message
}
