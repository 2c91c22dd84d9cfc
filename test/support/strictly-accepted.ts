import type { SessionEvent } from '../../src/core/event/session-event.ts'
import { RefusedEventError, Session } from '../../src/core/session/session.ts'

/** Whether the strict session takes the events as its seed. */
export function strictlyAccepted(seed: readonly SessionEvent[]): boolean {
  try {
    new Session({ seed, now: () => 0 })
    return true
  } catch (error) {
    if (error instanceof RefusedEventError) return false
    throw error
  }
}
