/**
 * Streamed deltas that follow one another in the step that is open: most events of a long log, and events that no rule
 * can object to. They are shown to the reducers as one run. Anyone who needs the deltas themselves asks for them.
 */
import type { JsonObject } from '../json/json-value.ts'

export interface DeltaSpan {
  /** Seq of the first event. */
  readonly first: number
  /** Number of events. */
  readonly count: number
  /** Turn and step that all of them name. */
  readonly turn: number
  readonly step: number
  /** Times of the first and the last event; none between them goes back. */
  readonly firstTime: number
  readonly lastTime: number
}

export interface DeltaRun extends DeltaSpan {
  /** The deltas, in order. To be called during the reading, or on what {@link keep} gives. */
  deltas(): Iterable<JsonObject>
  /** The same run for later: what is read goes on in the meantime. */
  keep(): DeltaRun
}

export const DELTA_TYPE = 'assistant/chunk'

/** For a reducer that streamed deltas do not concern. */
export function ignoreDeltas(): void {}
