/** What the session reader gives: the header, the events and the findings of a log, in file order. */
import type { SessionEvent, SessionHeader } from '../../core/event/session-event.ts'
import type { Finding } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'
import type { DeltaRun } from '../../core/replay/delta-run.ts'
import type { Gap } from '../../core/replay/gap.ts'

export type LogItem =
  | { readonly kind: 'header'; readonly header: SessionHeader }
  | LocatedEvent
  | FindingItem
  | QuietItem
  | GapItem

export interface FindingItem {
  readonly kind: 'finding'
  readonly finding: Finding
}

/** Comes before the event that follows the gap. */
export interface GapItem {
  readonly kind: 'gap'
  readonly gap: Gap
}

export interface LocatedEvent {
  readonly kind: 'event'
  readonly event: SessionEvent
  readonly origin: Origin
}

/** Streamed deltas where they were due, as one item. */
export interface QuietItem {
  readonly kind: 'deltas'
  readonly run: DeltaRun
  /** Where the first of them is. */
  readonly origin: Origin
  /** The single events. To be called during the reading. */
  readonly events: () => Iterable<LocatedEvent>
}
