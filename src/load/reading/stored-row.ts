/**
 * One record that holds JSON, as a row of its log: its members, and the events that it stands for. Nothing else in the house
 * expands a packed row.
 */
import { type Dialect, dialectOf } from '../../core/dialect/dialect.ts'
import { typeName } from '../../core/event-types/vocabulary.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { type ExpandedRow, expandRow, isPackedRow } from '../../storage/packed-rows/expand-row.ts'
import type { StoredRecord } from '../../storage/record-source.ts'
import { type ParsedValue, parseRecord } from './parse-record.ts'
import { recordAnomalies } from './record-anomalies.ts'

const NO_MEMBERS: JsonObject = {}
const NO_EVENTS: readonly JsonValue[] = []

export class StoredRow {
  readonly record: StoredRecord
  readonly value: JsonValue
  /** Bytes that are no UTF-8 have been read as U+FFFD. */
  readonly validUtf8: boolean
  readonly isPlain: boolean
  /** The members as they are stored; none of a value that is no object. */
  readonly members: JsonObject
  /** One line that stands for a run of events. */
  readonly isPacked: boolean
  readonly #dialect: Dialect
  #expanded: ExpandedRow | undefined

  /** @param dialect - of the log; whether there are packed rows at all depends on it. */
  constructor(
    record: StoredRecord,
    { value, validUtf8, isPlain }: Omit<ParsedValue, 'kind'>,
    dialect: Dialect,
  ) {
    this.record = record
    this.value = value
    this.validUtf8 = validUtf8
    this.isPlain = isPlain
    this.members = isJsonObject(value) ? named(value) : NO_MEMBERS
    this.isPacked = dialect.version < 2 && isPackedRow(value)
    this.#dialect = dialect
  }

  get type(): string | undefined {
    const { type } = this.members
    return typeof type === 'string' ? type : undefined
  }

  /** What is where the seq of the first event belongs; it need not be one. */
  get seq(): JsonValue | undefined {
    return this.isPacked ? this.members.seq0 : this.members.seq
  }

  get time(): JsonValue | undefined {
    return this.isPacked ? this.members.time0 : this.members.time
  }

  /** The events as rows of their own: the row itself, or the members of a packed one. */
  get events(): readonly JsonValue[] {
    const expanded = this.#expand()
    return expanded.kind === 'row' ? expanded.rows : NO_EVENTS
  }

  /** Why the value is no row of the log, whatever its seq: no object, or a malformed packed row. */
  get problem(): string | undefined {
    const expanded = this.#expand()
    return expanded.kind === 'row' ? undefined : expanded.problem
  }

  /** What makes the row count as damaged, with the seq that it has in the log (`core/dialect/row-damage.ts`). */
  damageAt(seq: number): string | undefined {
    return isJsonObject(this.value) ? this.#dialect.rowDamage(this.value, seq) : undefined
  }

  /** What of the text does not survive the reading. */
  anomalies(): ReturnType<typeof recordAnomalies> {
    return recordAnomalies(this.record.content, this)
  }

  #expand(): ExpandedRow {
    this.#expanded ??= expand(this.value, this.#dialect)
    return this.#expanded
  }
}

/** The row with the name of its type that all rows of the type share. */
function named(row: { type?: JsonValue } & JsonObject): JsonObject {
  if (typeof row.type === 'string') row.type = typeName(row.type)
  return row
}

function expand(value: JsonValue, { version }: Dialect): ExpandedRow {
  if (!isJsonObject(value) && (value === null || version >= 2)) {
    return { kind: 'malformed', problem: `it is ${value === null ? 'null' : 'no object'}` }
  }
  return version < 2 ? expandRow(value) : { kind: 'row', rows: [value] }
}

/** The row in a record; absent when the record cannot be read. Without a dialect, packed rows are expanded. */
export function rowIn(record: StoredRecord, dialect = dialectOf(undefined)): StoredRow | undefined {
  const parsed = parseRecord(record.content)
  return parsed.kind === 'value' ? new StoredRow(record, parsed, dialect) : undefined
}
