/**
 * The one replay. It drives the surface and the turn cursor over the events of a log, in order, and shows every
 * event to the reducers. It is lenient: an event that a surface rule refuses becomes a finding, leaves the surface
 * alone, and the replay goes on; a finding that follows from a refused event says so.
 */
import type { Origin } from '../event/origin.ts'
import type { SessionEvent, SessionHeader } from '../event/session-event.ts'
import type { Finding, FindingSink } from '../findings/finding.ts'
import { type SurfaceEffect, SurfaceManager } from '../surface/surface-manager.ts'
import type { SurfaceViolation } from '../surface/surface-rules.ts'
import type { Reducer, ReplayEnd } from './reducer.ts'
import { TurnCursor } from './turn-cursor.ts'

const LOG_ONLY: SurfaceEffect = { kind: 'log-only' }

export class Replay {
  /** Set before the first event, by whoever reads the log. */
  header: SessionHeader | undefined
  readonly #manager = new SurfaceManager()
  readonly #cursor = new TurnCursor()
  readonly #reducers: readonly Reducer[]
  readonly #report: FindingSink
  /** Refused surface events: a later replacement that names one fails because of it. */
  readonly #refused = new Map<number, Finding>()
  #last: ReplayEnd['last']
  #eventCount = 0

  constructor(reducers: readonly Reducer[], report: FindingSink) {
    this.#reducers = reducers
    this.#report = report
  }

  /** Takes the next event. Seqs must rise; a gap is the reader's finding, and the replay passes over it. */
  push(event: SessionEvent, origin: Origin): void {
    const manager = this.#manager
    if (event.seq > manager.expectedSeq) manager.skipTo(event.seq)
    const plan = manager.plan(event)
    let effect = LOG_ONLY
    let refusal: Finding | undefined
    if (plan.kind === 'violation') {
      refusal = this.#refuse(event, origin, plan)
      manager.skipTo(event.seq + 1)
    } else effect = manager.commit(event, plan)

    const cursor = this.#cursor
    const before = { openTurn: cursor.openTurn, openStep: cursor.openStep }
    const change = cursor.advance(event)
    const { header } = this
    const step = { header, event, origin, effect, refusal, surface: manager.surface, before, cursor, change }
    for (const reducer of this.#reducers) reducer.on(step)
    this.#last = { event, origin }
    this.#eventCount++
  }

  /** The state after the last event. */
  end(): ReplayEnd {
    return {
      surface: this.#manager.surface,
      cursor: this.#cursor,
      last: this.#last,
      eventCount: this.#eventCount,
    }
  }

  #refuse(event: SessionEvent, origin: Origin, violation: SurfaceViolation): Finding {
    const { code, args } = violation
    const cause = [args.start, args.end, args.target]
      .map((seq) => (typeof seq === 'number' ? this.#refused.get(seq) : undefined))
      .find((finding) => finding !== undefined)
    const finding: Finding = { code, origin, seq: event.seq, args, ...(cause && { causedBy: cause }) }
    this.#refused.set(event.seq, finding)
    this.#report(finding)
    return finding
  }
}
