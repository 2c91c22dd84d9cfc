/**
 * The stage that takes records apart: stored records → located rows, in the order of the log. It parses, expands packed
 * rows and mends broken lines, and knows nothing of seqs that are missing or of what DSH makes of the log. Everything
 * that looks into the records of a log reads them here, so what a line means is decided once.
 */
import { type Dialect, dialectOf } from '../../core/dialect/dialect.ts'
import { isCount } from '../../core/json/json-value.ts'
import type { StoredRecord } from '../../storage/record-source.ts'
import { joinLines, type MendingCode, mendLine } from './mend-line.ts'
import { parseRecord } from './parse-record.ts'
import { StoredRow } from './stored-row.ts'

export type TakenRecord =
  | { readonly kind: 'row'; readonly row: StoredRow }
  /** Nothing that can be parsed as it is; `mended` is what can be saved of it. */
  | { readonly kind: 'broken'; readonly problem: string; readonly mended?: MendedRecord }
  | { readonly kind: 'oversize'; readonly bytes: number }

export interface MendedRecord {
  readonly code: MendingCode
  readonly rows: readonly MendedRow[]
  /** Bytes that belong to none of the rows; they are the first ones. */
  readonly lostBytes: number
  /** The record before, when this one completes it. */
  readonly completes?: StoredRecord
}

export interface MendedRow {
  readonly row: StoredRow
  /** As the row would have been stored, without a line feed. */
  readonly bytes: Buffer
}

/** Longest line that is kept to see whether the next one completes it. */
const LONGEST_HELD = 1024 * 1024

export class RowReader {
  dialect: Dialect
  /** Nobody asks what the streams of answers hold. */
  skipsStreams = false
  /** A broken line, while no line has followed that can be read. */
  #half: { readonly bytes: Buffer; readonly record: StoredRecord } | undefined

  constructor(dialect: Dialect = dialectOf(undefined)) {
    this.dialect = dialect
  }

  /**
   * Takes the next record.
   * @param due - the seq that is due. What is saved of a broken line has to continue the log there, or one row later;
   * without it, everything that parses is saved.
   */
  take(record: StoredRecord, due?: number): TakenRecord {
    const { content } = record
    if (content.kind === 'oversize') return content
    const parsed = parseRecord(content, this.skipsStreams)
    if (parsed.kind === 'value') {
      this.#half = undefined
      return { kind: 'row', row: new StoredRow(record, parsed, this.dialect) }
    }
    const { problem } = parsed
    const mended = content.kind === 'bytes' ? this.#mend(record, content.bytes, due) : undefined
    return mended === undefined ? { kind: 'broken', problem } : { kind: 'broken', problem, mended }
  }

  /** Rows that were not taken here have followed. */
  pass(): void {
    this.#half = undefined
  }

  #mend(record: StoredRecord, bytes: Buffer, due: number | undefined): MendedRecord | undefined {
    const half = this.#half
    this.#half = undefined
    const joined = half === undefined ? undefined : joinLines(half.bytes, bytes)
    if (half !== undefined && joined !== undefined) {
      const whole = this.#mendedRow(record, joined.value, joined.line)
      if (followsOn(whole.row, due))
        return { code: 'bytes/split-line', rows: [whole], lostBytes: 0, completes: half.record }
    }
    const saved = mendLine(bytes)
    const rows = saved?.pieces.map((piece) => this.#mendedRow(record, piece.value, piece.line)) ?? []
    if (saved !== undefined && rows[0] !== undefined && followsOn(rows[0].row, due))
      return { code: saved.code, rows, lostBytes: saved.lostBytes }
    if (bytes.length <= LONGEST_HELD) this.#half = { bytes: Buffer.from(bytes), record }
    return undefined
  }

  #mendedRow(record: StoredRecord, value: StoredRow['value'], bytes: Buffer): MendedRow {
    const line: StoredRecord = { ...record, content: { kind: 'bytes', bytes } }
    return { row: new StoredRow(line, { value, validUtf8: true, isPlain: false }, this.dialect), bytes }
  }
}

function followsOn({ seq }: StoredRow, due: number | undefined): boolean {
  return due === undefined || (isCount(seq) && seq >= due && seq <= due + 1)
}
