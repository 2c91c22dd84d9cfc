/** What a repair puts right inside one stored row, from what the row and the rows around it say. */
import type { AdvertisedCall } from '../event/session-event.ts'
import type { FindingCode } from '../findings/rules.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'

/** What can be mended, and the rule that it answers. */
export const MENDED_RULE = {
  members: 'envelope/invalid',
  ignorable: 'envelope/invalid',
  time: 'envelope/invalid',
  type: 'envelope/invalid',
  data: 'envelope/invalid',
  sources: 'surface/sources-invalid',
  operation: 'surface/op-invalid',
  role: 'message/role-wrong',
  origin: 'message/source-invalid',
  content: 'message/content-invalid',
  call: 'message/call-id-mismatch',
  start: 'relation/call-differs',
  place: 'relation/step-outside',
  settlement: 'message/settlement-invalid',
  request: 'message/request-invalid',
  turn: 'legacy/malformed',
  shape: 'format/foreign-shape',
  packed: 'bytes/bad-line',
} as const satisfies Readonly<Record<string, FindingCode>>

export type RowMend = keyof typeof MENDED_RULE

/** A row on its way, and what has been done to it. */
export interface MendedRow {
  readonly row: JsonObject
  readonly mends: readonly RowMend[]
}

/** A call as the open step announced it. */
export interface AnnouncedCall extends AdvertisedCall {
  readonly isStarted: boolean
}

/** A turn, or a step of it. */
export interface NamedPlace {
  readonly turn: number
  readonly step?: number
}

/** The type of a row, and the turn and step that it names. */
export type NextPlace = Readonly<Record<'type' | 'turn' | 'step', JsonValue | undefined>>

/** What the rows around one have said. */
export interface RowContext {
  readonly sessionId: string
  /** Time of the row before, or that of the session. */
  readonly time: number
  readonly turn: number | undefined
  readonly step: number | undefined
  /** The last turn and step that began; a step belongs to its turn. */
  readonly lastTurn: number
  readonly lastStep: number
  /** The model that requests go to. */
  readonly model: { readonly provider: string; readonly model: string } | undefined
  /** The call that each `tool/call` starts, by its seq. */
  callAt(seq: number): string | undefined
  /** Calls of the step that have no result yet, in the order they were announced. */
  readonly waiting: readonly string[]
  /** What was streamed in the step since its last answer. */
  readonly deltas: readonly number[]
  /** Calls of the step, with or without a result. */
  readonly announced: readonly AnnouncedCall[]
  /** The next row that has to name a turn, if no seq is missing before it. */
  readonly next: NextPlace | 'end' | undefined
  /** Whether no seq is missing since a row showed which turn and step are open. */
  readonly isWhole: boolean
  /** Whether a request header came before. */
  readonly hasRequest: boolean
}

/** An object without some of its members. */
export function omit(object: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => !members.includes(member)))
}
