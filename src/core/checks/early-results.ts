/**
 * Results that are before the call they answer. When a result without a call comes, the call may still follow in the
 * same turn: the two are then one fault and not two, so the result waits for the end of its turn to be judged.
 */
import type { Finding, FindingSink } from '../findings/finding.ts'
import type { ReplayStep } from '../replay/reducer.ts'

/** Beyond this many in one turn nobody looks for their calls. */
const MOST_HELD = 1000

export class EarlyResults {
  readonly #held = new Map<string, Finding>()
  /** Of every call of this turn that was announced too late, what is wrong with it. */
  readonly #early = new Map<string, Finding>()
  readonly #report: FindingSink

  constructor(report: FindingSink) {
    this.#report = report
  }

  /** A result that no message calls for so far. */
  hold(finding: Finding, callId: string): void {
    if (this.#held.size < MOST_HELD) this.#held.set(callId, finding)
    else this.#report(finding)
  }

  /** A message announces a call. */
  announced(callId: string, name: string, { event }: Pick<ReplayStep, 'event'>): void {
    const result = this.#held.get(callId)
    if (result === undefined) return
    this.#held.delete(callId)
    const args = { callId, name, announcedAt: event.seq }
    const early: Finding = { ...result, code: 'pair/result-early', args, related: [event.seq] }
    this.#early.set(callId, early)
    this.#report(early)
  }

  /** What leaves the call of this turn without a result. */
  causeOf(callId: string): Finding | undefined {
    return this.#early.get(callId)
  }

  /** The turn is over: what has no call by now has none. */
  endTurn(): void {
    for (const finding of this.#held.values()) this.#report(finding)
    this.#held.clear()
    this.#early.clear()
  }
}
