/**
 * One session of a database as a source of records: its header, then one record for every row in the order of the
 * seqs, decoded a few hundred at a time. Rows that are damaged or cannot be reached are said at their place.
 */
import type { ContainerFault, ReadLimits, RecordContent, RecordSource, StoredItem } from '../record-source.ts'
import { decodeEventRow, type EventRow, seqAfter } from './event-row.ts'
import type { OpenedDatabase } from './open-copy.ts'
import type { DatabaseShape } from './schema-shape.ts'
import { findSession, type StoredSession } from './sessions.ts'
import { type SessionKey, walkRows } from './walk-rows.ts'

const BATCH_ROWS = 500
const BATCH_BYTES = 1024 * 1024

/** The database has to stay open while the source is read. */
export function sqliteSession(database: OpenedDatabase, sessionId: string, limits: ReadLimits): RecordSource {
  return {
    async *items(fromLine = 1): AsyncIterable<readonly StoredItem[]> {
      const session = findSession(database, sessionId)
      if (fromLine <= 1) {
        // On their own: a reader may hold back what comes together with a header that cannot be read.
        const faults = [...database.faults, ...formatFaults(session)]
        if (faults.length > 0) yield faults
        yield [headerRecord(session, sessionId)]
      }
      const { shape } = database
      if (shape === undefined) return
      const reading = { database, shape, limits }
      const key = session?.key ?? sessionId
      let batch: StoredItem[] = []
      let bytes = 0
      for (const { item, size } of rowItems(reading, key, fromLine)) {
        batch.push(item)
        bytes += size
        if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
        yield batch
        batch = []
        bytes = 0
      }
      if (batch.length > 0) yield batch
    },
  }
}

/** The builds that kept sessions in databases knew format 0 alone. */
function formatFaults(session: StoredSession | undefined): readonly ContainerFault[] {
  const version = session?.header.version
  if (version === undefined || version === 0) return []
  const problem = `the session says format ${version}, but databases hold sessions of format 0`
  return [
    { kind: 'fault', code: 'database/schema', origin: { line: 1 }, args: { problem }, losesRecords: false },
  ]
}

function headerRecord(session: StoredSession | undefined, sessionId: string): StoredItem {
  const content: RecordContent =
    session === undefined
      ? { kind: 'unreadable', problem: `the table of sessions holds no row for ${sessionId}` }
      : { kind: 'value', value: session.header }
  return { kind: 'record', line: 1, origin: { line: 1 }, content, ended: true }
}

interface Reading {
  readonly database: OpenedDatabase
  readonly shape: DatabaseShape
  readonly limits: ReadLimits
}

interface SizedItem {
  readonly item: StoredItem
  readonly size: number
}

function* rowItems(
  { database, shape, limits }: Reading,
  key: SessionKey,
  fromLine: number,
): Generator<SizedItem> {
  let line = 1
  /** The seq that is due, when the row before says so. */
  let due: number | undefined = 0
  /** Whether the hole at this place has been said. */
  let said = false
  for (const walked of walkRows(database.connection, shape, key, limits.maxRecord)) {
    if (walked.kind === 'damage') {
      said = true
      yield fault('database/damaged', due, `rows cannot be read from here on: ${walked.problem}`)
      continue
    }
    const { row, salvaged } = walked
    line++
    // Where SQLite stopped is the first hole. Whether there are more shows in the seqs alone.
    const isHole = salvaged && !said && due !== undefined && Number(row.seq) > due
    if (isHole) yield fault('database/damaged', due, 'rows are missing between those that can be reached')
    said = false
    if (needsDictionary(row, shape)) {
      yield fault('database/schema', Number(row.seq), DICTIONARY)
      return
    }
    const content = line < fromLine ? undefined : decodeEventRow(row, shape, database.frames, limits)
    due = content === undefined ? undefined : seqAfter(content)
    if (content !== undefined) yield { item: rowRecord(row, line, content), size: row.bytes }
  }
}

const DICTIONARY =
  'from here on the data is compressed with a dictionary of DSH that resurface does not have; it was not read'

/** Schemas 19 and 20 compress against a dictionary that only DSH carries, so their compressed rows stay shut. */
function needsDictionary(row: EventRow, shape: DatabaseShape): boolean {
  return shape.sources === 'tagged-varint' && row.data instanceof Uint8Array
}

function rowRecord(row: EventRow, line: number, content: RecordContent): StoredItem {
  const origin = { line, ...(typeof row.seq === 'number' && { row: row.seq }) }
  const standing = isBeyondNumbers(row) ? ({ standing: 'whole-frame' } as const) : {}
  return { kind: 'record', line, origin, content, ended: true, ...standing }
}

/** DSH reads no row of a session that has a number in it which JavaScript cannot represent. */
function isBeyondNumbers({ seq, time }: EventRow): boolean {
  return [seq, time].some((number) => Number.isInteger(number) && !Number.isSafeInteger(number))
}

function fault(
  code: 'database/damaged' | 'database/schema',
  seq: number | undefined,
  problem: string,
): SizedItem {
  const origin = seq === undefined ? {} : { row: seq }
  const item: ContainerFault = { kind: 'fault', code, origin, args: { problem }, losesRecords: true }
  return { item, size: 0 }
}
