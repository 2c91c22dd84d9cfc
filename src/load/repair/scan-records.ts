/**
 * One pass over all records of a broken log: which lines have to be mended or taken out, and how the rows that are left
 * are numbered. Records are taken apart by the same stage as for the session reader.
 */
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { FindingCode } from '../../core/findings/rules.ts'
import { isCount, isJsonObject } from '../../core/json/json-value.ts'
import type { Run } from '../../core/repair/arrange-runs.ts'
import type { RecordSource, StoredRecord } from '../../storage/record-source.ts'
import { isLateHeader, withoutByteOrderMark } from '../reading/header-line.ts'
import { type MendedRecord, RowReader } from '../reading/row-reader.ts'
import type { StoredRow } from '../reading/stored-row.ts'
import type { EventFacts } from './suggested-header.ts'

export interface LineMend {
  readonly code: FindingCode
  /** What stands for the line; nothing when it is taken out. */
  readonly lines: readonly Buffer[]
  /** Its first bytes that belong to no record. */
  readonly lostBytes: number
}

export interface RecordScan {
  /** By the number of the line in the file. */
  readonly mends: ReadonlyMap<number, LineMend>
  /** By the position among the records that are left, the header being the first. */
  readonly runs: readonly Run[]
  readonly facts: EventFacts
}

const HEADER = 1

/** @param hasHeader - a place is left free for the header of a log without. */
export async function scanRecords(
  source: RecordSource,
  dialect: Dialect,
  hasHeader: boolean,
): Promise<RecordScan> {
  const mends = new Map<number, LineMend>()
  const runs: Run[] = []
  const facts = { firstTime: 0, isSeeded: false }
  let position = HEADER
  let awaitsHeader = hasHeader
  let due = 0
  const reader = new RowReader(dialect)

  /** Takes a row into the runs. @returns why it cannot be one. */
  function note(row: StoredRow): FindingCode | undefined {
    const { value, seq, type, members } = row
    if (row.problem !== undefined || !isJsonObject(value)) return 'bytes/bad-line'
    if (type === 'session') return 'header/repeated'
    if (isCount(seq) && row.damageAt(seq) !== undefined) return 'bytes/bad-line'
    position++
    if (position === HEADER + 1) facts.firstTime = Number(row.time ?? 0)
    facts.isSeeded ||=
      type === 'session/end-seed' && isJsonObject(members.data) && members.data.inherited === true
    const rows = row.events.length
    const run = runs.at(-1)
    if (isCount(seq) && run?.first !== undefined && seq === run.first + run.rows) {
      run.lastRecord = position
      run.rows += rows
    } else
      runs.push({ firstRecord: position, lastRecord: position, first: isCount(seq) ? seq : undefined, rows })
    if (isCount(seq)) due = seq + rows
    return undefined
  }

  function mend(record: StoredRecord, { code, rows, lostBytes, completes }: MendedRecord): LineMend {
    if (completes !== undefined) mends.set(completes.line, { code, lines: [], lostBytes: 0 })
    const whole = rows.filter(({ row }) => note(row) === undefined)
    const lines = whole.map(({ bytes }) => Buffer.from(bytes))
    // A piece that is no row of the log goes to quarantine with the line that it stood in.
    return { code, lines, lostBytes: whole.length < rows.length ? bytesIn(record) : lostBytes }
  }

  /** What has to be done to a line; nothing when it is a row as it stands. */
  function mendOf(record: StoredRecord): LineMend | undefined {
    const taken = reader.take(record, due)
    if (taken.kind === 'row') {
      const damage = note(taken.row)
      return damage === undefined ? undefined : wholeLine(damage, record)
    }
    const mended = taken.kind === 'broken' ? taken.mended : undefined
    return mended === undefined ? wholeLine('bytes/bad-line', record) : mend(record, mended)
  }

  /** @returns whether the record is the header; what stands before it is no part of the log. */
  function beginLog(record: StoredRecord): boolean {
    const { line, content } = record
    const bare = withoutByteOrderMark(content)
    if (bare !== content && bare.kind === 'bytes' && content.kind === 'bytes') {
      const lostBytes = content.bytes.length - bare.bytes.length
      mends.set(line, { code: 'bytes/byte-order-mark', lines: [Buffer.from(bare.bytes)], lostBytes })
      return true
    }
    if (isLateHeader(record)) return true
    mends.set(line, wholeLine('header/missing', record))
    return false
  }

  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind === 'fault') continue
      if (awaitsHeader) {
        awaitsHeader = !beginLog(item)
        continue
      }
      const mended = item.ended ? mendOf(item) : wholeLine('bytes/torn-tail', item)
      if (mended !== undefined) mends.set(item.line, mended)
    }
  }
  return { mends, runs, facts }
}

function wholeLine(code: FindingCode, record: StoredRecord): LineMend {
  return { code, lines: [], lostBytes: bytesIn(record) }
}

function bytesIn({ content }: StoredRecord): number {
  return content.kind === 'bytes' ? content.bytes.length : 0
}
