/** What DSH says about one log: the answers of `worker.mjs`. */
import type { SessionEvent } from '../../src/core/event/session-event.ts'

export type DshAnswer = (Accepted | Refused) & { readonly strict: StrictAnswer | null }

interface Accepted {
  readonly accepted: true
  /** Stored events that take part, without closers. */
  readonly eventCount: number
  readonly nodes: readonly number[]
  readonly replacements: readonly Replaced[]
  readonly messages: readonly unknown[]
  readonly closers: readonly SessionEvent[]
}

interface Refused {
  readonly accepted: false
  readonly error: string
}

export interface Replaced {
  readonly seq: number
  readonly start: number
  readonly end: number
  readonly shadowedSeqs: readonly number[]
}

/** The verdict of an in-memory session on the stored rows; `null` when not every line is a row. */
export interface StrictAnswer {
  readonly accepted: boolean
  readonly error?: string
}
