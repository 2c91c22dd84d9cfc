/**
 * The library face: replay a list of events, keep a strict session, judge a log file. Types are exported with the
 * things they belong to; everything else is internal.
 */

export { allChecks } from './core/checks/all-checks.ts'
export type {
  ContentBlock,
  Message,
  MessageSource,
  ReplaceOp,
  SessionEvent,
  SessionHeader,
  SurfaceOp,
} from './core/event/session-event.ts'
export { isSurfaceEligibleType } from './core/event-types/vocabulary.ts'
export { describe } from './core/findings/describe.ts'
export type { Finding, Layer, Severity } from './core/findings/finding.ts'
export { FindingLog } from './core/findings/finding-log.ts'
export type { Origin } from './core/findings/origin.ts'
export type { Rule } from './core/findings/rule.ts'
export { type FindingCode, RULES, ruleOf } from './core/findings/rules.ts'
export { type Judgement, judge, type Verdict } from './core/findings/verdict.ts'
export type { JsonObject, JsonValue } from './core/json/json-value.ts'
export {
  type Classification,
  type ClassifiedEvent,
  classification,
  type EventClass,
} from './core/projections/classification.ts'
export { eventsBetween, type PageBounds, pageBounds } from './core/projections/event-pages.ts'
export { type Statistics, statistics } from './core/projections/statistics.ts'
export {
  type SurfaceMessage,
  type SurfaceView,
  surfaceMessages,
  surfaceView,
} from './core/projections/surface-view.ts'
export { type EventTrace, eventTrace } from './core/projections/trace.ts'
export { COMPACTION_MARKER, type TranscriptEntry, transcript } from './core/projections/transcript.ts'
export { closersAt, interruptedTurnClosers } from './core/repair/closers.ts'
export type { Reducer, ReplayEnd, ReplayStep } from './core/replay/reducer.ts'
export { Replay } from './core/replay/replay.ts'
export { TurnCursor } from './core/replay/turn-cursor.ts'
export { deriveEventMessage } from './core/session/derive-messages.ts'
export {
  RefusedEventError,
  Session,
  type SessionOptions,
  type SurfaceEventType,
  type SurfaceIntent,
} from './core/session/session.ts'
export type { Replacement, SessionSurface } from './core/surface/session-surface.ts'
export { SurfaceManager } from './core/surface/surface-manager.ts'
export {
  isAppendSurfaceEvent,
  isCompactCheckpoint,
  isCompactCheckpointSource,
  isReplacementSurfaceEvent,
  transcriptToolCallIds,
} from './core/surface/surface-predicates.ts'
export { type LoadedLog, type LoadOptions, loadLog } from './load/sessions/load-log.ts'
export { type JsonSchema, lineSchemaOf, SCHEMAS, schemaOf } from './report/published-schemas.ts'
export { plainFile } from './storage/jsonl/plain-file.ts'
export { DEFAULT_LIMITS, type ReadLimits, type RecordSource } from './storage/record-source.ts'
