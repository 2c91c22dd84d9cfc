/** Why a turn ended otherwise than by being done: what a reader asks first of a session that stopped (format.md §4.2). */
import type { SessionEvent } from '../event/session-event.ts'
import { isJsonObject, objectIn, stringIn } from '../json/json-value.ts'

export interface TurnFailure {
  /** `error`, `blocked` or `max-tokens`. */
  readonly reason: string
  /** What the provider said; empty where it said nothing. */
  readonly text: string
  readonly code?: string
  readonly status?: number
}

const FAILURES: ReadonlySet<unknown> = new Set(['error', 'blocked', 'max-tokens'])

/** What a `turn/end` says about a failure; absent for a turn that was completed, or stopped by somebody. */
export function turnFailure({ type, data }: Pick<SessionEvent, 'type' | 'data'>): TurnFailure | undefined {
  if (type !== 'turn/end') return undefined
  const reason = objectIn(data).reason
  if (!isJsonObject(reason) || typeof reason.kind !== 'string' || !FAILURES.has(reason.kind)) return undefined
  const { message, code, status } = objectIn(reason.error)
  return {
    reason: reason.kind,
    text: stringIn(message),
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
  }
}
