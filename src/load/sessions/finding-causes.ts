/**
 * Ties consequences to their cause. Once rows are lost or out of order, what the checks find in the rest of that turn
 * follows from it, and the next turn starts afresh. Where a record was not read at all, such findings would be guesses,
 * so they are not made: the verdict is incomplete instead.
 */
import type { SessionEvent } from '../../core/event/session-event.ts'
import type { Finding, FindingSink } from '../../core/findings/finding.ts'
import { type FindingCode, ruleOf } from '../../core/findings/rules.ts'

export class FindingCauses {
  #cause: Finding | undefined
  #unreadInTurn = false
  #unreadEver = false
  readonly #sink: FindingSink

  constructor(sink: FindingSink) {
    this.#sink = sink
  }

  /** A finding of the reader, in its place among the events. */
  notice(finding: Finding): void {
    const { severity, layer, outcome } = ruleOf(finding.code)
    if (outcome === 'incomplete') {
      this.#unreadInTurn = true
      this.#unreadEver = true
    } else if (severity === 'error' && (layer === 'bytes' || layer === 'order')) {
      this.#cause = finding.causedBy ?? finding
    }
  }

  pass(event: SessionEvent): void {
    if (event.type !== 'turn/start') return
    this.#cause = undefined
    this.#unreadInTurn = false
  }

  /** Hands on a finding of the replay or of a check, marked when something before it explains it. */
  readonly report: FindingSink = (finding) => {
    if (this.#isGuess(finding.code)) return
    const cause = finding.causedBy ?? this.#cause
    this.#sink(cause === undefined ? finding : { ...finding, causedBy: cause })
  }

  #isGuess(code: FindingCode): boolean {
    const { guessAfterLoss } = ruleOf(code)
    return guessAfterLoss === 'ever' ? this.#unreadEver : guessAfterLoss === 'turn' && this.#unreadInTurn
  }
}
