/**
 * One pass over all records of a broken log: which lines have to be mended or taken out, and how the rows that are left
 * are numbered. What a line is mended to is decided as the session reader decides it.
 */
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { FindingCode } from '../../core/findings/rules.ts'
import { isCount, isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import type { Run } from '../../core/repair/arrange-runs.ts'
import { expandRow } from '../../storage/packed-rows/expand-row.ts'
import type { RecordSource, StoredRecord } from '../../storage/record-source.ts'
import { isLateHeader, withoutByteOrderMark } from '../reading/header-line.ts'
import { LineMender } from '../reading/mend-line.ts'
import { parseRecord } from '../reading/parse-record.ts'
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
  let record = HEADER
  let awaitsHeader = hasHeader
  let due = 0
  const mender = new LineMender<number>()

  /** Takes a row into the runs. @returns why it cannot be one. */
  function note(value: JsonValue): FindingCode | undefined {
    const expanded = dialect.version < 2 ? expandRow(value) : { kind: 'row' as const, rows: [value] }
    if (expanded.kind === 'malformed' || !isJsonObject(value)) return 'bytes/bad-line'
    if (value.type === 'session') return 'header/repeated'
    const seq = value.seq0 ?? value.seq
    if (isCount(seq) && dialect.rowDamage(value, seq) !== undefined) return 'bytes/bad-line'
    record++
    if (record === HEADER + 1) facts.firstTime = Number(value.time ?? value.time0 ?? 0)
    facts.isSeeded ||=
      value.type === 'session/end-seed' && isJsonObject(value.data) && value.data.inherited === true
    const rows = expanded.rows.length
    const run = runs.at(-1)
    if (isCount(seq) && run?.first !== undefined && seq === run.first + run.rows) {
      run.lastRecord = record
      run.rows += rows
    } else runs.push({ firstRecord: record, lastRecord: record, first: isCount(seq) ? seq : undefined, rows })
    if (isCount(seq)) due = seq + rows
    return undefined
  }

  function unreadable({ content, line }: StoredRecord): LineMend {
    if (content.kind !== 'bytes') return { code: 'bytes/bad-line', lines: [], lostBytes: 0 }
    const { bytes } = content
    const mended = mender.mend(bytes, due)
    if (mended === undefined) {
      mender.hold(bytes, line)
      return { code: 'bytes/bad-line', lines: [], lostBytes: bytes.length }
    }
    const { code, rows, lines, lostBytes, completes } = mended
    if (completes !== undefined) mends.set(completes, { code, lines: [], lostBytes: 0 })
    const whole = lines.filter((_, index) => note(rows[index] as JsonValue) === undefined)
    // A piece that is no row of the log goes to quarantine with the line that it stood in.
    const lost = whole.length < lines.length ? bytes.length : lostBytes
    return { code, lines: whole.map((piece) => Buffer.from(piece)), lostBytes: lost }
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
      const parsed = item.ended ? parseRecord(item.content) : undefined
      if (parsed === undefined) mends.set(item.line, wholeLine('bytes/torn-tail', item))
      else if (parsed.kind === 'unreadable') mends.set(item.line, unreadable(item))
      else {
        mender.pass()
        const damage = note(parsed.value)
        if (damage !== undefined) mends.set(item.line, wholeLine(damage, item))
      }
    }
  }
  return { mends, runs, facts }
}

function wholeLine(code: FindingCode, { content }: StoredRecord): LineMend {
  return { code, lines: [], lostBytes: content.kind === 'bytes' ? content.bytes.length : 0 }
}
