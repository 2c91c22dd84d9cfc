/**
 * One pass over all records of a broken log: which lines have to be mended or taken out, and how the rows that are left
 * are numbered. What a line is mended to is decided as the session reader decides it. What is wrong inside a row is
 * mended when the rows are in their order (`mend-rows.ts`).
 */
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { FindingCode } from '../../core/findings/rules.ts'
import {
  isCount,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectIn,
  present,
} from '../../core/json/json-value.ts'
import type { Run } from '../../core/repair/arrange-runs.ts'
import { headerMembers } from '../../core/repair/header-members.ts'
import { formatOfRow } from '../../core/repair/mend-header.ts'
import { modelOfRow } from '../../core/repair/mend-row.ts'
import type { RowContext, RowMend } from '../../core/repair/row-mend.ts'
import { bytesIn, jsonLine, type RecordSource, type StoredRecord } from '../../storage/record-source.ts'
import { isLateHeader, withoutByteOrderMark } from '../reading/header-line.ts'
import { LostRecords } from '../reading/lost-records.ts'
import { type MendedRecord, RowReader } from '../reading/row-reader.ts'
import { rowIn, StoredRow } from '../reading/stored-row.ts'
import { looksPacked, mendPackedRow } from './mend-packed-row.ts'
import type { EventFacts } from './suggested-header.ts'

export interface LineMend {
  readonly code: FindingCode
  /** What stands for the line; nothing when it is taken out. */
  readonly lines: readonly Buffer[]
  /** Its first bytes that belong to no record, or all of them where the row itself changes. */
  readonly lostBytes: number
  /** What was put right inside the row, and the seq that it says it has. */
  readonly row?: { readonly mends: readonly RowMend[]; readonly seq: number | undefined }
}

export interface RecordScan {
  /** By the number of the line in the file. */
  readonly mends: ReadonlyMap<number, LineMend>
  /** By the position among the records that are left, the header being the first. */
  readonly runs: readonly Run[]
  readonly facts: EventFacts
  /** What is taken out at the end, where no row follows. */
  readonly lostAtEnd: LostAtEnd
  /** The line of the header and what it holds, where there is one. */
  readonly header?: { readonly line: number; readonly value: JsonValue; readonly bytes: number }
}

export interface LostAtEnd {
  readonly events: number
  /** The beginnings of what could be read of them. */
  readonly texts: readonly string[]
}

export interface ScanOptions {
  readonly dialect: Dialect
  /** Whether a header has to come first; where there is none a place is left free for it. */
  readonly hasHeader: boolean
}

const HEADER = 1

export async function scanRecords(source: RecordSource, options: ScanOptions): Promise<RecordScan> {
  const scanner = new RecordScanner(options)
  for await (const batch of source.items())
    for (const item of batch) if (item.kind === 'record') scanner.take(item)
  return scanner.scan()
}

class RecordScanner {
  readonly #dialect: Dialect
  readonly #mends = new Map<number, LineMend>()
  readonly #runs: Run[] = []
  readonly #facts = { firstTime: 0, isSeeded: false }
  readonly #reader: RowReader
  readonly #lost = new LostRecords()
  #header: RecordScan['header']
  #position = HEADER
  #awaitsHeader: boolean

  constructor({ dialect, hasHeader }: ScanOptions) {
    this.#dialect = dialect
    this.#awaitsHeader = hasHeader
    this.#reader = new RowReader(dialect)
  }

  take(record: StoredRecord): void {
    if (this.#awaitsHeader) {
      this.#awaitsHeader = !this.#beginLog(record)
      return
    }
    const mend = record.ended ? this.#mendOf(record) : wholeLine('bytes/torn-tail', record)
    if (mend === undefined) return
    this.#mends.set(record.line, mend)
    if (mend.lines.length === 0) this.#lost.note(record.content)
  }

  scan(): RecordScan {
    const header = this.#header
    return {
      mends: this.#mends,
      runs: this.#runs,
      facts: this.#facts,
      lostAtEnd: { events: this.#lost.count, texts: this.#lost.take() },
      ...(header !== undefined && { header }),
    }
  }

  /** What has to be done to a line; nothing when it is a row as it is. */
  #mendOf(record: StoredRecord): LineMend | undefined {
    const taken = this.#reader.take(record)
    if (taken.kind === 'row') {
      const mend = this.#row(taken.row)
      return mend && { ...mend, lostBytes: bytesIn(record) }
    }
    const { content } = record
    if (content.kind === 'unreadable' && isJsonObject(content.rest)) return this.#rest(record, content.rest)
    const mended = taken.kind === 'broken' ? taken.mended : undefined
    return mended === undefined ? wholeLine('bytes/bad-line', record) : this.#pieces(record, mended)
  }

  /** A row of a database without a column that cannot be read; those are optional. */
  #rest(record: StoredRecord, value: JsonObject): LineMend {
    const stored = new StoredRow(record, { value, validUtf8: true, isPlain: false }, this.#dialect)
    const { lines = [jsonLine(value)] } = this.#row(stored) ?? {}
    const seq = isCount(stored.seq) ? stored.seq : undefined
    const row = { mends: ['sources'], seq } as const
    return { code: 'bytes/bad-line', lines, lostBytes: 0, ...(lines.length > 0 && { row }) }
  }

  #pieces(record: StoredRecord, { code, rows, lostBytes, completes }: MendedRecord): LineMend {
    // A block of a torn message looks like a row, too.
    if (!rows.every(({ row }) => isDated(row.value))) return wholeLine('bytes/bad-line', record)
    for (const { line } of completes?.completes ?? [])
      this.#mends.set(line, { code, lines: [], lostBytes: 0 })
    const lines = rows.flatMap(({ row, bytes }) => {
      const mend = this.#row(row)
      return mend === undefined ? [Buffer.from(bytes)] : mend.lines
    })
    // A piece that is no row of the log goes to quarantine with the line that it was in.
    return { code, lines, lostBytes: lines.length < rows.length ? bytesIn(record) : lostBytes }
  }

  /** Takes a row into the runs. @returns what it is mended to, or that it cannot be one. */
  #row(stored: StoredRow): Omit<LineMend, 'lostBytes'> | undefined {
    const { value } = stored
    if (!isJsonObject(value)) return { code: 'bytes/bad-line', lines: [] }
    if (stored.type === 'session') return { code: 'header/repeated', lines: [] }
    const isMislabelled = this.#dialect.version < 2 && !stored.isPacked && looksPacked(value)
    if (stored.problem !== undefined || isMislabelled) return this.#packed(value)
    // Readers refuse a negative zero; it is the number that is due there, if it is any.
    const seq = isCount(stored.seq) && !Object.is(stored.seq, -0) ? stored.seq : undefined
    this.#note(value, seq, stored.events.length)
    return undefined
  }

  #packed(value: JsonObject): Omit<LineMend, 'lostBytes'> {
    const mended = mendPackedRow(value)
    if (mended === undefined) return { code: 'bytes/bad-line', lines: [] }
    const { row, seq, count } = mended
    this.#note(row, seq, count)
    return { code: 'bytes/bad-line', lines: [jsonLine(row)], row: { mends: ['packed'], seq } }
  }

  #note(row: JsonObject, seq: number | undefined, rows: number): void {
    const position = ++this.#position
    this.#lost.take()
    const facts = this.#facts
    if (position === HEADER + 1) facts.firstTime = Number(row.time ?? row.time0 ?? 0)
    facts.isSeeded ||=
      row.type === 'session/end-seed' && isJsonObject(row.data) && row.data.inherited === true
    const run = this.#runs.at(-1)
    if (seq !== undefined && run?.first !== undefined && seq === run.first + run.rows) {
      run.lastRecord = position
      run.rows += rows
    } else {
      const time = row.time ?? row.time0
      const timed = typeof time === 'number' ? { time } : {}
      this.#runs.push({ firstRecord: position, lastRecord: position, first: seq, rows, ...timed })
    }
  }

  /** @returns whether the record is the header; what comes before it is no part of the log. */
  #beginLog(record: StoredRecord): boolean {
    const { line, content } = record
    const bare = withoutByteOrderMark(content)
    if (bare !== content && bare.kind === 'bytes') {
      const lostBytes = bytesIn(record) - bare.bytes.length
      this.#mends.set(line, { code: 'bytes/byte-order-mark', lines: [Buffer.from(bare.bytes)], lostBytes })
    } else if (!isLateHeader(record)) {
      this.#mends.set(line, wholeLine('header/missing', record))
      return false
    }
    const value = rowIn({ ...record, content: bare })?.value
    if (value !== undefined) this.#header = { line, value, bytes: bytesIn(record) }
    return true
  }
}

/** Whether it is a row, or a header, and not a part of one. */
function isDated(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    ['time', 'time0', 'createdAt', 'seq', 'seq0'].some((member) => Object.hasOwn(value, member))
  )
}

function wholeLine(code: FindingCode, record: StoredRecord): LineMend {
  return { code, lines: [], lostBytes: bytesIn(record) }
}

/** Rows that are looked at to tell what the whole log is about. */
const MOST_TELLING = 10_000

/** What the first rows of a log tell about all of it. */
export interface LogFacts {
  /** The format that its shapes speak for. */
  readonly version?: number
  /** The first model that is named. */
  readonly model?: RowContext['model']
  /** What can be read of a header in the first line, where that is torn. */
  readonly torn?: JsonObject
}

export async function factsOfRows(source: RecordSource): Promise<LogFacts> {
  let facts: LogFacts = {}
  let seen = 0
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind !== 'record') continue
      const value = rowIn(item)?.value
      if (seen === 0 && value === undefined) facts = tornHeader(item)
      const row = objectIn(value)
      const version = facts.version ?? formatOfRow(row)
      const model = facts.model ?? modelOfRow(row)
      facts = { ...facts, ...present({ version, model }) }
      if (++seen > MOST_TELLING || (version !== undefined && model !== undefined)) return facts
    }
  }
  return facts
}

function tornHeader({ content }: StoredRecord): LogFacts {
  const torn =
    content.kind === 'bytes' ? headerMembers(Buffer.from(content.bytes).toString('utf8')) : undefined
  return torn === undefined ? {} : { torn }
}
