/**
 * Ties consequences to their cause: once rows are lost or out of order, what the checks find in the rest of that
 * turn follows from it, and a reader should not have to wade through it. The next turn starts afresh.
 */
import type { SessionEvent } from '../core/event/session-event.ts'
import type { Finding, FindingSink } from '../core/findings/finding.ts'
import { ruleOf } from '../core/findings/rules.ts'

export class Disturbance {
  #cause: Finding | undefined
  readonly #sink: FindingSink

  constructor(sink: FindingSink) {
    this.#sink = sink
  }

  /** A finding of the reader, in its place among the events. */
  notice(finding: Finding): void {
    const { severity, layer } = ruleOf(finding.code)
    if (severity === 'error' && (layer === 'bytes' || layer === 'order'))
      this.#cause = finding.causedBy ?? finding
  }

  pass(event: SessionEvent): void {
    if (event.type === 'turn/start') this.#cause = undefined
  }

  /** Hands on a finding of a check, marked when something before it in the turn explains it. */
  readonly report: FindingSink = (finding) => {
    const cause = finding.causedBy ?? this.#cause
    this.#sink(cause === undefined ? finding : { ...finding, causedBy: cause })
  }
}
