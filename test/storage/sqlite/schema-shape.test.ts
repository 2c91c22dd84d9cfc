import { describe, expect, test } from 'vitest'
import { openCopy } from '../../../src/storage/sqlite/open-copy.ts'
import { listSessions } from '../../../src/storage/sqlite/sessions.ts'
import { twoTurns } from '../../support/sample-logs.ts'
import { edit, judged, session, valuesOf, written } from './databases.ts'
import { SHAPES, shapedDatabase } from './shapes.ts'

const events = twoTurns().events()
const unmarked = events.map(({ surfaceOp: _op, sourceEventSeqs: _sources, ...event }) => event)

describe('every shape gives the events that were put in', () => {
  test.each(Object.keys(SHAPES))('schema %s', async (name) => {
    const [first, ...rest] = (await valuesOf(shapedDatabase(name, events))).filter(isNoFault)
    expect(first).toEqual({
      type: 'session',
      version: 0,
      id: 's1',
      createdAt: 1_700_000_000_000,
      delegationDepth: 0,
      cwd: '/srv/demo',
    })
    expect(rest).toEqual(SHAPES[name]?.sources === 'none' ? unmarked : events)
  })

  test.each([14, 17] as const)('schema %i', async (schema) => {
    const path = await written([session(twoTurns())], schema)
    expect((await valuesOf(path)).slice(1)).toEqual(events)
  })
})

test.each(['1', '2a', '2b'])('schema %s is from before the first release', async (name) => {
  const { codes, judgement, events: count } = await judged(shapedDatabase(name, events))
  expect(codes).toContain('database/schema')
  expect(judgement).toMatchObject({ verdict: 'unsupported', exitCode: 4, opens: false })
  expect(count).toBe(15)
})

test.each(['4', '5', '9', '11', '15', '19', '20'])('schema %s is read silently', async (name) => {
  const { codes, surface } = await judged(shapedDatabase(name, events))
  expect(codes).toEqual([])
  expect(surface).toEqual([1, 4, 6, 10, 12])
})

describe('what DSH refuses is named and read', () => {
  test.each([
    ['a schema version that nobody writes', 'PRAGMA user_version = 16', 'database/schema', 16],
    ['another version that nobody writes', 'PRAGMA user_version = 18', 'database/schema', 18],
    ['a newer schema version', 'PRAGMA user_version = 21', 'database/schema', 21],
    ['a version that does not fit the columns', 'PRAGMA user_version = 15', 'database/schema', 15],
    ['no schema version', 'PRAGMA user_version = 0', 'database/foreign', 'unversioned'],
    [
      'a foreign application id',
      'PRAGMA application_id = 1',
      'database/foreign',
      'application id 1, expected 1146308688',
    ],
    ['an extra table', 'CREATE TABLE foo (x)', 'database/schema', 'table foo'],
    ['an extra index', 'CREATE INDEX mine ON events (type)', 'database/schema', 'index mine'],
    ['a missing table', 'DROP TABLE persistence_state', 'database/schema', 'persistence_state is missing'],
    [
      'an extra column',
      'ALTER TABLE sessions ADD COLUMN time_zone TEXT',
      'database/schema',
      'sessions is defined',
    ],
  ])('%s', async (_name, sql, code, told) => {
    const path = await written([session(twoTurns())])
    edit(path, (db) => db.exec(sql))
    const { findings, events: count } = await judged(path)
    expect(findings.map((finding) => finding.code)).toEqual([code])
    expect(findings[0]?.args).toEqual({ problem: expect.stringContaining(String(told)) })
    expect(count).toBe(15)
  })

  test('a definition that damage turned into a blob', async () => {
    const path = await written([session(twoTurns())])
    edit(path, (db) => {
      db.unsafeMode()
      db.pragma('writable_schema = ON')
      db.exec("UPDATE sqlite_schema SET sql = CAST(sql AS BLOB) WHERE name = 'sessions'")
    })
    expect((await judged(path)).codes).toEqual(['database/schema'])
  })

  test('an application id before there was one', async () => {
    const path = shapedDatabase('4', events)
    edit(path, (db) => db.pragma('application_id = 7'))
    expect((await judged(path)).codes).toEqual(['database/foreign'])
  })
})

test.each([
  ['an empty database', 'PRAGMA user_version = 0'],
  ['a database of something else', 'CREATE TABLE notes (text)'],
  ['tables that lack what it takes', 'CREATE TABLE sessions (id); CREATE TABLE events (session_id, seq)'],
  [
    'a view in place of the table',
    'CREATE TABLE sessions (id); CREATE VIEW events AS SELECT 1 AS session_id, 2 AS seq, 3 AS type, 4 AS time, 5 AS data',
  ],
])('%s has no sessions', async (_name, sql) => {
  const path = shapedDatabase('4', [])
  edit(path, (db) => db.exec(`DROP TABLE events; DROP TABLE sessions; ${sql}`))
  const database = await openCopy(path)
  try {
    expect(database.shape).toBeUndefined()
    expect(listSessions(database)).toEqual([])
    expect(database.faults.map(({ code }) => code)).toContain('database/schema')
  } finally {
    await database.close()
  }
  expect((await judged(path)).judgement.exitCode).not.toBe(0)
})

function isNoFault(value: unknown): boolean {
  return !(typeof value === 'object' && value !== null && 'fault' in value)
}
