/**
 * What the meaning of a log depends on besides its events: the rules of its session format. The replay asks the
 * dialect; nothing above it compares version numbers.
 */
import { isKnownType, surfaceTypes } from '../event-types/vocabulary.ts'
import type { JsonObject } from '../json/json-value.ts'
import { admissionRefusal, type Refusal } from './admission.ts'
import { rowDamage } from './row-damage.ts'

export type FormatVersion = 0 | 1 | 2 | 3 | 4

export const NEWEST_VERSION = 4

export interface Dialect {
  readonly version: FormatVersion
  /** Whether the readers of this format know the type. */
  knows(type: string): boolean
  /** What makes a row count as damaged, so that the tail rule applies to it. */
  rowDamage(row: JsonObject, seq: number): string | undefined
  /** Why a row refuses the log wherever it is. */
  refusal(row: JsonObject): Refusal | undefined
  readonly surface: SurfaceDialect
  /** A result answers its call only as an append in the same turn and step (format 4). */
  readonly strictAnswers: boolean
  /** Results are messages of role `tool` (format 4), not wrapped in a block of a user message. */
  readonly toolRole: boolean
  /** The relations of format.md §7.3 are enforced when a log is opened. */
  readonly relations: boolean
  /** Types of events that belong to the turn and step that they name. */
  readonly inStep: ReadonlySet<string>
  /** Types of events that belong to some turn. */
  readonly inTurn: ReadonlySet<string>
}

export interface SurfaceDialect {
  readonly types: ReadonlySet<string>
  /** Members of a replacement that name its first and last node. */
  readonly start: 'start' | 'startSeq'
  readonly end: 'end' | 'endSeq'
  /** An assistant message embeds its stream and may not cite sources. */
  readonly embeddedStreams: boolean
  /** Surface members of an unknown ignorable event mean nothing, rather than being forbidden. */
  readonly opaqueIgnorables: boolean
  /** A system message at the head may be rewritten only by a system message over exactly that node. */
  readonly protectedHead: boolean
}

const IN_STEP = ['assistant/message', 'tool/call', 'tool/result', 'step/end']
const ADVISED_IN_STEP = new Set([...IN_STEP, 'assistant/chunk'])
const ENFORCED_IN_STEP = new Set([...IN_STEP, 'system/message', 'developer/message', 'assistant/attempt'])

const IN_TURN = ['request/header', 'request/context']
const ADVISED_IN_TURN = new Set([...IN_TURN, 'todo/write'])
const ENFORCED_IN_TURN = new Set([...IN_TURN, 'tool/ptc-dispatch-start', 'tool/ptc-dispatch'])

function dialect(version: FormatVersion): Dialect {
  return {
    version,
    knows: (type) => isKnownType(type, version),
    rowDamage: (row, seq) => rowDamage(row, seq, version),
    refusal: (row) => admissionRefusal(row, version),
    surface: {
      types: surfaceTypes(version),
      start: version >= 3 ? 'startSeq' : 'start',
      end: version >= 3 ? 'endSeq' : 'end',
      embeddedStreams: version >= 2,
      opaqueIgnorables: version >= 3,
      protectedHead: version >= 3,
    },
    strictAnswers: version >= 4,
    toolRole: version >= 4,
    relations: version >= 4,
    inStep: version >= 4 ? ENFORCED_IN_STEP : ADVISED_IN_STEP,
    inTurn: version >= 4 ? ENFORCED_IN_TURN : ADVISED_IN_TURN,
  }
}

const DIALECTS: readonly Dialect[] = [dialect(0), dialect(1), dialect(2), dialect(3), dialect(4)]

/** For a format nobody here knows: read like the newest one, with nothing about it judged. */
const UNKNOWN_FORMAT: Dialect = {
  ...dialect(NEWEST_VERSION),
  knows: () => true,
  rowDamage: () => undefined,
  refusal: () => undefined,
  relations: false,
}

/** The dialect of a format; that of format 0 when the log does not say. */
export function dialectOf(version: number | undefined): Dialect {
  return version === undefined ? (DIALECTS[0] as Dialect) : (DIALECTS[version] ?? UNKNOWN_FORMAT)
}

export function isFormatVersion(version: unknown): version is FormatVersion {
  return Number.isInteger(version) && (version as number) >= 0 && (version as number) <= NEWEST_VERSION
}
