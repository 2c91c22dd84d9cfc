/** The plug of the replay: everything that wants to know something about a log is a reducer over the same pass. */
import type { Dialect } from '../dialect/dialect.ts'
import type { SessionEvent, SessionHeader } from '../event/session-event.ts'
import type { Finding } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { SessionSurface } from '../surface/session-surface.ts'
import type { SurfaceEffect } from '../surface/surface-manager.ts'
import { type DeltaRun, type DeltaSpan, ignoreDeltas } from './delta-run.ts'
import type { PlacedGap } from './gap.ts'
import type { CursorChange, TurnCursor } from './turn-cursor.ts'

/** One event with everything the replay knows about it. Valid during the call only. */
export interface ReplayStep {
  /** The header of the log, when it has one that can be read. */
  readonly header: SessionHeader | undefined
  readonly dialect: Dialect
  readonly event: SessionEvent
  readonly origin: Origin
  /** What the event did to the surface; `log-only` also when a surface rule refused it. */
  readonly effect: SurfaceEffect
  /** The violation of a surface rule, when there is one. */
  readonly refusal: Finding | undefined
  readonly surface: SessionSurface
  /** Turn and step before the event: what the log calls them, and their numbers where those are numbers. */
  readonly before: {
    readonly turn: JsonValue | undefined
    readonly step: JsonValue | undefined
    readonly openTurn: number | undefined
    readonly openStep: number | undefined
  }
  /** The cursor after the event, and what the event changed. */
  readonly cursor: TurnCursor
  readonly change: CursorChange
}

/** The state of the log after its last event. */
export interface ReplayEnd {
  readonly header: SessionHeader | undefined
  readonly dialect: Dialect
  readonly surface: SessionSurface
  readonly cursor: TurnCursor
  /** The last event that took part, with its origin; absent for a log without events. */
  readonly last: { readonly event: SessionEvent; readonly origin: Origin } | undefined
  readonly eventCount: number
}

/** Something that looks on while a log is replayed, and has a result at its end. */
export interface Reducer<Result = unknown> {
  /** Types of the events that it looks at; it is shown no others. Every event where it names none. */
  readonly types?: ReadonlySet<string> | undefined
  on(step: ReplayStep): void
  /** Takes streamed deltas as one run. A replay gives runs only when all of its reducers take them. */
  onDeltas?(run: DeltaRun, state: { readonly header: SessionHeader | undefined }): void
  /** Takes a gap, in its place among the events. @param state - as it is before the event that follows. */
  onGap?(gap: PlacedGap, state: { readonly surface: SessionSurface; readonly time: number }): void
  /**
   * Takes what a record holds, in the order of the file and before anything is made of it, the header first; nothing for
   * a record that cannot be read. Lines of streamed deltas come as a run.
   */
  stored?(value: JsonValue | undefined, origin: Origin): void
  storedRun?(run: DeltaSpan, origin: Origin): void
  finish(end: ReplayEnd): Result
}

/** A reducer with nothing to say at the end, and nothing of streamed deltas. */
export function eachEvent(on: (step: ReplayStep) => void, types?: ReadonlySet<string>): Reducer<void> {
  return { types, onDeltas: ignoreDeltas, on, finish() {} }
}
