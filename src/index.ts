/**
 * The library: open a log and ask what the command line asks, keep a strict session, or replay events in memory. What is
 * not exported here is internal. `docs/library.md` has worked programs.
 */

// A log, wherever it is stored.

export type {
  CheckedLog,
  CheckOptions,
  EventOptions,
  ExplainedFinding,
  Log,
  Reading,
  SurfaceOptions,
  TranscriptOptions,
} from './log/log.ts'
export { type LogOptions, openLog } from './log/open-log.ts'
export { planRepair, type RepairChoices, type RepairPlan } from './log/plan-repair.ts'
export { type RepairTarget, type WrittenFiles, writeRepair } from './log/write-repair.ts'
export { DEFAULT_LIMITS, type ReadLimits } from './storage/record-source.ts'
export { ToolError, type ToolErrorCode } from './storage/tool-error.ts'

// What findings mean, and the schemas of `--json`.

export { describe } from './core/findings/describe.ts'
export type { Finding, Layer, Severity } from './core/findings/finding.ts'
export { FindingLog } from './core/findings/finding-log.ts'
export type { Origin } from './core/findings/origin.ts'
export type { Policy } from './core/findings/policy.ts'
export type { Rule } from './core/findings/rule.ts'
export { type FindingCode, isFindingCode, RULES, ruleOf } from './core/findings/rules.ts'
export { type FailOn, type Judgement, judge, type Verdict } from './core/findings/verdict.ts'
export { type JsonSchema, lineSchemaOf, SCHEMAS, schemaOf } from './report/published-schemas.ts'

// A session that refuses what DSH refuses, and its parts.

export { isSurfaceEligibleType } from './core/event-types/vocabulary.ts'
export { closersAt, interruptedTurnClosers } from './core/repair/closers.ts'
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

// One replay, and what looks on: for events in memory, and for `Log.read`.

export { allChecks } from './core/checks/all-checks.ts'
export {
  type Classification,
  type ClassifiedEvent,
  classification,
  type EventClass,
} from './core/projections/classification.ts'
export type { EventFilter } from './core/projections/event-filter.ts'
export { type Statistics, statistics } from './core/projections/statistics.ts'
export {
  type SurfaceGap,
  type SurfaceMessage,
  type SurfaceNode,
  type SurfaceView,
  surfaceMessages,
  surfaceView,
} from './core/projections/surface-view.ts'
export { type EventTrace, eventTrace } from './core/projections/trace.ts'
export { COMPACTION_MARKER, type TranscriptEntry, transcript } from './core/projections/transcript.ts'
export type { Reducer, ReplayEnd, ReplayStep } from './core/replay/reducer.ts'
export { Replay } from './core/replay/replay.ts'
export { TurnCursor } from './core/replay/turn-cursor.ts'

// What logs are made of.

export type {
  ContentBlock,
  Message,
  MessageSource,
  ReplaceOp,
  SessionEvent,
  SessionHeader,
  SurfaceOp,
} from './core/event/session-event.ts'
export type { JsonObject, JsonValue } from './core/json/json-value.ts'
