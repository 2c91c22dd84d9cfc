/**
 * Every row of a rich session in a database, damaged in every column in turn: what the row still tells is kept, no other
 * event is lost, and the repaired database has no error.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { compact } from '../../src/report/json-text.ts'
import { packRows } from '../../src/storage/packed-rows/pack-rows.ts'
import { writeFrame } from '../../src/storage/zstd/frame-writer.ts'
import { readBack, type WholeLog, wholeLog, written } from '../support/containers.ts'
import { part } from '../support/effort.ts'
import { runMain } from '../support/run-main.ts'
import { repair } from '../support/run-repair.ts'
import { rich } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

interface Damage {
  readonly name: string
  /** SQL of what becomes of the row; `:more` is a value that the damage brings. */
  readonly sql: string
  readonly more?: (data: string) => Promise<unknown> | unknown
  /** Whether the row keeps what it says. */
  readonly isKept: boolean
  /** Rows that it is about; all without it. */
  readonly where?: (row: Row) => boolean
}

interface Row {
  readonly seq: number
  readonly type: string
  readonly data: string | Buffer
  readonly ignorable?: number | null
  readonly surface_op: string | null
}

const set = (assignment: string): string => `UPDATE events SET ${assignment} WHERE seq = :seq`
const isPacked = ({ ignorable }: Row): boolean => ignorable === 0
const isScalar = (row: Row): boolean => !isPacked(row)

const DAMAGES: readonly Damage[] = [
  { name: 'it is missing', sql: 'DELETE FROM events WHERE seq = :seq', isKept: false },
  { name: 'its type is empty', sql: set("type = ''"), isKept: false },
  { name: 'its data is empty', sql: set("data = ''"), isKept: false },
  { name: 'its data is half', sql: set('data = substr(data, 1, length(data) / 2)'), isKept: false },
  { name: 'its data is garbage', sql: set('data = :more'), more: () => '%%%', isKept: false },
  { name: 'its data is NULs', sql: set('data = :more'), more: () => '\0\0\0', isKept: false },
  { name: 'its data is null', sql: set("data = 'null'"), isKept: false },
  { name: 'its data is a number', sql: set("data = '42'"), isKept: false },
  { name: 'its data is a list', sql: set("data = '[1]'"), isKept: false },
  { name: 'its data is an empty object', sql: set("data = '{}'"), isKept: false },
  { name: 'its time is beyond numbers', sql: set('time = 9007199254740993'), isKept: false },
  { name: 'its time is before all others', sql: set('time = -9000000000000000'), isKept: false },
  { name: 'its surface operation is no JSON', sql: set("surface_op = '{'"), isKept: true },
  { name: 'its surface operation is a number', sql: set("surface_op = '1'"), isKept: true },
]

const OF_SCHEMA_14: readonly Damage[] = [
  { name: 'its sources are no JSON', sql: set("source_event_seqs = '{'"), isKept: true },
]

const OF_SCHEMA_17: readonly Damage[] = [
  { name: 'its sources are cut', sql: set("source_event_seqs = x'ff'"), isKept: true },
  { name: 'its sources are text', sql: set("source_event_seqs = '[1]'"), isKept: true },
  { name: 'its data is text in bytes', sql: set('data = CAST(data AS BLOB)'), isKept: true },
  {
    name: 'its data is compressed',
    sql: set('data = :more'),
    more: (data) => writeFrame(Buffer.from(data)),
    isKept: true,
  },
  {
    name: 'its data has a wrong checksum',
    sql: set('data = :more'),
    more: async (data) => {
      const frame = await writeFrame(Buffer.from(data))
      frame[frame.length - 1] = (frame[frame.length - 1] as number) ^ 1
      return frame
    },
    isKept: true,
  },
  {
    name: 'its data has a wrong magic number',
    sql: set('data = :more'),
    more: async (data) => {
      const frame = await writeFrame(Buffer.from(data))
      frame[0] = (frame[0] as number) ^ 1
      return frame
    },
    isKept: true,
  },
  { name: 'it says that it is packed', sql: set('ignorable = 0'), isKept: true, where: isScalar },
  { name: 'it says that it is not packed', sql: set('ignorable = NULL'), isKept: true, where: isPacked },
  { name: 'it says that it can be ignored', sql: set('ignorable = 1'), isKept: true },
  {
    name: 'its packed row is called a chunk',
    sql: set("type = 'assistant/chunk'"),
    isKept: true,
    where: isPacked,
  },
]

describe.each([
  ['SQLite 14', [...DAMAGES, ...OF_SCHEMA_14]],
  ['SQLite 17', [...DAMAGES, ...OF_SCHEMA_17]],
] as const)('%s', (schema, damages) => {
  test.each(damages)('a row of which $name', { timeout: 600_000 }, async ({ sql, more, isKept, where }) => {
    const { whole, path, rows } = await database(schema)
    const failures: string[] = []
    for (const row of part(rows.filter(where ?? (() => true)), 12)) {
      const folder = tempDir()
      const [damaged, output] = [join(folder, 'log.db'), join(folder, 'repaired.db')] as const
      copyFileSync(path, damaged)
      const db = new Database(damaged)
      const value = await more?.(String(row.data))
      db.prepare(sql).run({ seq: row.seq, ...(value !== undefined && { more: value }) })
      db.close()
      const problem = await problemOf(damaged, output, whole, row, isKept)
      if (problem !== undefined) failures.push(`${row.seq} ${row.type}: ${problem}`)
    }
    expect(failures).toEqual([])
  })
})

interface Stored {
  readonly whole: WholeLog
  readonly path: string
  readonly rows: readonly Row[]
}

async function database(schema: 'SQLite 14' | 'SQLite 17'): Promise<Stored> {
  const whole = await wholeLog(rich().bytes())
  const path = await written(schema, whole)
  const db = new Database(path)
  if (schema === 'SQLite 17') packIn(db, whole)
  const rows = db.prepare('SELECT * FROM events ORDER BY seq').all() as Row[]
  db.close()
  expect(rows.some(isPacked)).toBe(schema === 'SQLite 17')
  return { whole, path, rows }
}

/** Packs the deltas as DSH does. */
function packIn(db: Database.Database, { events }: WholeLog): void {
  const { id } = db.prepare('SELECT id FROM sessions').get() as { id: string }
  const insert = db.prepare(
    'INSERT INTO events (session_id, seq, type, time, data, ignorable) VALUES (?, ?, ?, ?, ?, 0)',
  )
  const remove = db.prepare('DELETE FROM events WHERE seq >= ? AND seq < ?')
  for (const packed of packRows(events)) {
    const { seq0, time0, type, data } = packed as unknown as {
      seq0?: number
      time0: number
      type: string
      data: { dt: number[] }
    }
    if (seq0 === undefined || data.dt.length < 2) continue
    remove.run(seq0, seq0 + data.dt.length + 1)
    insert.run(id, seq0, type, time0, compact(data))
  }
}

async function problemOf(
  damaged: string,
  output: string,
  whole: WholeLog,
  row: Row,
  isKept: boolean,
): Promise<string | undefined> {
  const { exitCode, data, stderr } = await repair(damaged, '-o', output)
  const intact = data.steps?.length === 0
  if (exitCode !== 0) return `exit ${exitCode} ${JSON.stringify(data.refused ?? data.remaining ?? stderr)}`
  const checked = await runMain(['check', intact ? damaged : output, '--json'])
  if (checked.exitCode !== 0) return `check ${checked.exitCode}`
  const { events } = await readBack(intact ? damaged : output)
  const members = 'seq0' in row ? 1 : membersOf(row)
  const own = (time: number): boolean =>
    whole.events.slice(row.seq, row.seq + members).some((event) => event.time === time)
  const times = new Set(events.map(({ time }) => time))
  const lost = whole.events.filter(({ time }) => !times.has(time) && (isKept || !own(time)))
  if (lost.length > 0) return `lost ${lost.map(({ seq, type }) => `${seq} ${type}`).join(', ')}`
  return undefined
}

function membersOf({ ignorable, data }: Row): number {
  return ignorable === 0 ? (JSON.parse(String(data)) as { dt: number[] }).dt.length + 1 : 1
}
