/**
 * The rows of one session in the order of their seqs, one at a time. Where SQLite cannot go on, that is said once, and
 * the rows after it are looked for in the table itself, without the index.
 */
import type { EventRow } from './event-row.ts'
import type { Connection } from './load-native.ts'
import { type FoundRow, reachableRows } from './salvage-rows.ts'
import type { DatabaseShape } from './schema-shape.ts'
import { damageOf, RowsOutOfOrder } from './sqlite-damage.ts'

export type WalkedRow =
  | { readonly kind: 'row'; readonly row: EventRow; readonly salvaged: boolean }
  /** SQLite stopped here; what follows was salvaged. */
  | { readonly kind: 'damage'; readonly problem: string }

export type SessionKey = string | number

export function* walkRows(
  connection: Connection,
  shape: DatabaseShape,
  key: SessionKey,
  maxRecord: number,
): Generator<WalkedRow> {
  const columns = columnsFor(shape, maxRecord)
  const indexed = connection.prepare(`SELECT ${columns} FROM events WHERE session_id = ? ORDER BY seq`).raw()
  let last = Number.NEGATIVE_INFINITY
  let problem: string
  try {
    for (const values of indexed.iterate(key) as IterableIterator<unknown[]>) {
      const row = storedRow(values)
      if (typeof row.seq === 'number') {
        if (row.seq <= last) throw new RowsOutOfOrder()
        last = row.seq
      }
      yield { kind: 'row', row, salvaged: false }
    }
    return
  } catch (error) {
    const damage = damageOf(error)
    if (damage === undefined) throw error
    problem = damage
  }
  yield { kind: 'damage', problem }
  yield* salvagedRows(connection, columns, key, last)
}

interface FoundEvent extends FoundRow {
  readonly sessionId: unknown
  readonly seq: unknown
}

function* salvagedRows(
  connection: Connection,
  columns: string,
  key: SessionKey,
  after: number,
): Generator<WalkedRow> {
  const found: { readonly rowid: number; readonly seq: number }[] = []
  for (const row of reachableRows<FoundEvent>(connection, 'events', 'session_id AS sessionId, seq AS seq')) {
    const { rowid, sessionId, seq } = row
    if (sessionId === key && typeof seq === 'number' && seq > after) found.push({ rowid, seq })
  }
  const byRowid = connection.prepare(`SELECT ${columns} FROM events NOT INDEXED WHERE rowid = ?`).raw()
  let problem: string | undefined
  for (const { rowid } of found.toSorted((a, b) => a.seq - b.seq)) {
    try {
      const values = byRowid.get(rowid) as unknown[] | undefined
      if (values === undefined) continue
      problem = undefined
      yield { kind: 'row', row: storedRow(values), salvaged: true }
    } catch (error) {
      problem = damageOf(error)
      if (problem === undefined) throw error
    }
  }
  // A gap shows what is missing in between; at the end nothing would.
  if (problem !== undefined) yield { kind: 'damage', problem }
}

/** The columns of a row in the order of {@link storedRow}: rows as lists cost less than half of rows as objects. */
function columnsFor(shape: DatabaseShape, maxRecord: number): string {
  const [sources, surfaceOp] =
    shape.sources === 'absent' ? ['NULL', 'NULL'] : ['source_event_seqs', 'surface_op']
  return [
    'seq',
    'type',
    'time',
    `CASE WHEN octet_length(data) > ${maxRecord} THEN NULL ELSE data END`,
    'octet_length(data)',
    sources,
    surfaceOp,
    shape.ignorable ? 'ignorable' : 'NULL',
    shape.packedBy === 'is_packed' ? 'is_packed' : 'NULL',
  ].join(', ')
}

function storedRow(values: readonly unknown[]): EventRow {
  const [seq, type, time, data, bytes, sources, surfaceOp, ignorable, isPacked] = values
  return { seq, type, time, data, bytes: bytes as number, sources, surfaceOp, ignorable, isPacked }
}
