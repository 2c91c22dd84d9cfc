/**
 * The stage that takes records apart: stored records → located rows, in the order of the log. It parses, expands packed
 * rows and mends broken lines, and knows nothing of seqs that are missing or of what DSH makes of the log. Everything
 * that looks into the records of a log reads them here, so what a line means is decided once.
 */
import { type Dialect, dialectOf } from '../../core/dialect/dialect.ts'
import { isCount, isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import type { InnerMember } from '../../core/json/plain-json.ts'
import type { StoredRecord } from '../../storage/record-source.ts'
import {
  beginsRow,
  isNumberedRow,
  type MendedLine,
  mendLine,
  mendValue,
  type SavedPiece,
} from './mend-line.ts'
import { type ParsedRecord, parseRecord } from './parse-record.ts'
import { type JoinedLines, SplitRecord } from './split-record.ts'
import { StoredRow } from './stored-row.ts'

export type TakenRecord =
  | { readonly kind: 'row'; readonly row: StoredRow }
  /** Nothing that can be parsed as it is; `mended` is what can be saved of it. */
  | { readonly kind: 'broken'; readonly problem: string; readonly mended?: MendedRecord }
  | { readonly kind: 'oversize'; readonly bytes: number }

export interface MendedRecord extends Pick<MendedLine, 'code' | 'layout' | 'lostBytes' | 'unreadBytes'> {
  readonly rows: readonly MendedRow[]
  /** The records before, when this one completes them. */
  readonly completes?: JoinedLines
}

export interface MendedRow {
  readonly row: StoredRow
  /** As the row would have been stored, without a line feed. */
  readonly bytes: Buffer
}

export class RowReader {
  dialect: Dialect
  /** The member that is not read like the others. */
  inner: InnerMember | undefined
  /** Broken lines that may be the beginning of a record, while nothing has followed that can be read. */
  #split: SplitRecord | undefined

  constructor(dialect: Dialect = dialectOf(undefined)) {
    this.dialect = dialect
  }

  /** How many of the last records may be the beginning of one that the next record completes. */
  get waiting(): number {
    return this.#split?.records.length ?? 0
  }

  /**
   * Takes the next record.
   * @param due - the seq that is due. What is saved of a broken line has to continue the log there, or one row later;
   * without it, everything that parses is saved.
   */
  take(record: StoredRecord, due?: number): TakenRecord {
    const { content } = record
    if (content.kind === 'oversize') return content
    const parsed = parseRecord(content, this.inner)
    if (parsed.kind === 'value' && this.#isRow(parsed.value)) {
      this.#split = undefined
      return { kind: 'row', row: new StoredRow(record, parsed, this.dialect) }
    }
    const bytes = content.kind === 'bytes' ? content.bytes : undefined
    const mended = bytes && (this.#completed(record, bytes, due) ?? this.#mend(record, bytes, parsed, due))
    if (parsed.kind === 'value' && mended === undefined && this.#split === undefined)
      return { kind: 'row', row: new StoredRow(record, parsed, this.dialect) }
    const problem = parsed.kind === 'value' ? 'it is a part of a record' : parsed.problem
    return { kind: 'broken', problem, ...(mended && { mended }) }
  }

  /** Rows that were not taken here have followed. */
  pass(): void {
    this.#split = undefined
  }

  /** Whether a value is to be taken as a row, and not as something that holds rows or is a part of one. */
  #isRow(value: JsonValue): boolean {
    return this.#split === undefined ? isJsonObject(value) : isNumberedRow(value)
  }

  /** The rows of the lines that this one completes. */
  #completed(record: StoredRecord, bytes: Buffer, due: number | undefined): MendedRecord | undefined {
    const split = this.#split
    if (split === undefined) return undefined
    this.#split = undefined
    if (beginsRow(bytes)) return undefined
    split.add(record, bytes)
    const joined = split.joined()
    const rows = joined?.pieces.map((piece) => this.#mendedRow(record, piece)) ?? []
    if (joined !== undefined && (joined.code === 'bytes/layout' || followsOn(rows, due))) {
      const { code } = joined
      const layout = code === 'bytes/layout' ? ({ layout: 'record-over-lines' } as const) : {}
      return { code, ...layout, rows, lostBytes: 0, unreadBytes: 0, completes: joined }
    }
    if (split.isOpen) this.#split = split
    return undefined
  }

  #mend(
    record: StoredRecord,
    bytes: Buffer,
    parsed: ParsedRecord,
    due: number | undefined,
  ): MendedRecord | undefined {
    if (this.#split !== undefined) return undefined
    const saved = parsed.kind === 'value' ? mendValue(parsed.value, bytes) : mendLine(bytes)
    const rows = saved?.pieces.map((piece) => this.#mendedRow(record, piece)) ?? []
    const isWhole = saved?.unreadBytes === 0 && rows.every(({ row }) => isNumberedRow(row.value))
    if (saved !== undefined && (isWhole || followsOn(rows, due))) {
      const { pieces: _, ...how } = saved
      return { ...how, rows }
    }
    if (parsed.kind === 'value') return undefined
    const split = new SplitRecord()
    split.add(record, bytes)
    if (split.isOpen) this.#split = split
    return undefined
  }

  #mendedRow(record: StoredRecord, { value, line: bytes }: SavedPiece): MendedRow {
    const line: StoredRecord = { ...record, content: { kind: 'bytes', bytes } }
    return { row: new StoredRow(line, { value, validUtf8: true, isPlain: false }, this.dialect), bytes }
  }
}

function followsOn([first]: readonly MendedRow[], due: number | undefined): boolean {
  if (first === undefined) return false
  const { seq } = first.row
  return due === undefined || (isCount(seq) && seq >= due && seq <= due + 1)
}
