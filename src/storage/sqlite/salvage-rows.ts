/**
 * Finds the rows of a table that can still be reached when pages are damaged, without the index: forward from the
 * start and backward from the end until SQLite stops, then again from the middle of every hole that is left. Only
 * the columns asked for are read, so a row whose long value lies on a damaged page is found all the same.
 */
import type { Connection } from './load-native.ts'
import { damageOf, RowsOutOfOrder } from './sqlite-damage.ts'

export interface FoundRow {
  readonly rowid: number
}

/** Bounds on the work in a badly damaged file. Holes are halved evenly, the oldest first. */
const MOST_SPLITS = 2_000
const SPLITS_PER_PAGE = 8
const SMALLEST_ROW_BYTES = 16
const LARGEST_ROWID = Number.MAX_SAFE_INTEGER

/** Rows in the order of their rowids. `columns` is SQL of this program, never of the log. */
export function reachableRows<Row extends FoundRow>(
  connection: Connection,
  table: 'sessions' | 'events',
  columns: string,
): readonly Row[] {
  const select = `SELECT rowid AS rowid, ${columns} FROM ${table} NOT INDEXED WHERE rowid >= ? AND rowid <= ? ORDER BY rowid`
  const upward = connection.prepare(select)
  const downward = connection.prepare(`${select} DESC`)
  const rows: Row[] = []
  /** Collects rows until SQLite stops; then the last rowid reached. */
  const walk = (first: number, last: number, step: 1 | -1): number | undefined => {
    let reached = step === 1 ? first - 1 : last + 1
    try {
      const found = (step === 1 ? upward : downward).iterate(first, last) as IterableIterator<Row>
      for (const row of found) {
        if (step * (row.rowid - reached) <= 0) throw new RowsOutOfOrder()
        reached = row.rowid
        rows.push(row)
      }
      return undefined
    } catch (error) {
      if (damageOf(error) === undefined) throw error
      return reached
    }
  }

  const pages = connection.pragma('page_count', { simple: true }) as number
  const pageSize = connection.pragma('page_size', { simple: true }) as number
  // When nothing can be reached from the end, this is how far the rows may go.
  const mostRows = Math.ceil((pages * pageSize) / SMALLEST_ROW_BYTES)
  const holes: [first: number, last: number][] = []
  const cover = (first: number, middle: number, last: number): void => {
    const up = walk(middle, last, 1)
    if (up !== undefined) {
      const down = walk(up + 1, last, -1)
      if (down !== undefined) holes.push([up + 1, Math.min(down - 1, up + mostRows)])
    }
    if (first >= middle) return
    const below = walk(first, middle - 1, -1)
    if (below !== undefined) holes.push([first, below - 1])
  }
  cover(1, 1, LARGEST_ROWID)
  const splits = Math.min(MOST_SPLITS, pages * SPLITS_PER_PAGE)
  for (let split = 0; split < splits && split < holes.length; split++) {
    const [first, last] = holes[split] as [number, number]
    if (first < last) cover(first, first + Math.ceil((last - first) / 2), last)
  }
  return rows.toSorted((a, b) => a.rowid - b.rowid)
}
