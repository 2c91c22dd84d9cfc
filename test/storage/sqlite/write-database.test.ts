import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { citedSeqs, type SessionEvent } from '../../../src/core/event/session-event.ts'
import { openCopy } from '../../../src/storage/sqlite/open-copy.ts'
import { listSessions } from '../../../src/storage/sqlite/sessions.ts'
import { writeDatabase } from '../../../src/storage/sqlite/write-database.ts'
import { nodeZstd } from '../../../src/storage/zstd/node-zstd.ts'
import { base, twoTurns } from '../../support/sample-logs.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { APPLICATION_ID, edit, header, judged, session, uuid, valuesOf, written } from './databases.ts'

describe.each([14, 17] as const)('schema %i', (schema) => {
  test('is one that DSH opens: identity, tables and modes', async () => {
    const path = await written([session(base())], schema)
    const { codes, judgement } = await judged(path)
    expect([codes, judgement.verdict]).toEqual([[], 'clean'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    edit(path, (db) => {
      expect(db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID)
      expect(db.pragma('user_version', { simple: true })).toBe(schema)
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
      expect(db.prepare('SELECT singleton, store_id FROM persistence_state').raw().all()).toEqual([
        [1, uuid(1)],
      ])
      expect(db.prepare('SELECT incarnation, revision FROM sessions').raw().all()).toEqual([[uuid(2), 1]])
    })
  })

  test('gives back what was put in, from any number of sessions', async () => {
    const path = await written(
      [session(base(), 'a'), session([], 'empty'), session(twoTurns(), 'b'), session(base(), 'größe 🚀')],
      schema,
    )
    const database = await openCopy(path)
    expect(listSessions(database).map(({ id }) => id)).toEqual(['a', 'empty', 'b', 'größe 🚀'])
    expect(listSessions(database)[0]).toEqual({ id: 'a', key: 'a', header: header('a') })
    await database.close()
    expect(await valuesOf(path, 'a')).toEqual([header('a'), ...base().events()])
    expect(await valuesOf(path, 'b')).toEqual([header('b'), ...twoTurns().events()])
    expect(await valuesOf(path, 'empty')).toEqual([header('empty')])
    expect(await valuesOf(path, 'größe 🚀')).toEqual([header('größe 🚀'), ...base().events()])
  })

  test('takes events as they come', async () => {
    const path = join(tempDir(), 'sessions.db')
    async function* events(): AsyncIterable<SessionEvent> {
      yield* base().events()
    }
    await writeDatabase(path, [{ header: header(), events: events() }], { schema, newId: () => uuid(1) })
    expect((await judged(path)).events).toBe(9)
  })

  test('is not there at all when the events cannot be had', async () => {
    const path = join(tempDir(), 'sessions.db')
    function* events(): Iterable<SessionEvent> {
      yield* base().events()
      throw new Error('the source broke')
    }
    const writing = writeDatabase(path, [{ header: header(), events: events() }], {
      schema,
      newId: () => uuid(1),
    })
    await expect(writing).rejects.toThrow('the source broke')
    expect(readdirSync(dirname(path))).toEqual([])
  })

  test('replaces nothing', async () => {
    const path = await written([session(base())], schema)
    const writing = writeDatabase(path, [session(twoTurns())], { schema, newId: () => uuid(1) })
    await expect(writing).rejects.toMatchObject({ code: 'refused' })
    expect((await judged(path)).events).toBe(9)
  })
})

test('schema 14 is text, schema 17 has bytes for sources', async () => {
  const [event] = base()
    .events()
    .filter((stored) => citedSeqs(stored).length > 0)
  for (const [schema, type] of [
    [14, 'text'],
    [17, 'blob'],
  ] as const) {
    const path = await written([session(base())], schema)
    const stored = edit(path, (db) =>
      db
        .prepare('SELECT typeof(source_event_seqs), typeof(surface_op) FROM events WHERE seq = ?')
        .raw()
        .get(event?.seq),
    )
    expect(stored).toEqual([type, 'text'])
  }
})

test('a long value is compressed where Node can, and reads the same', async () => {
  const events = base()
    .events()
    .map((event) => (event.seq === 2 ? { ...event, data: { text: 'x'.repeat(9000) } } : event))
  const path = await written([session(events)])
  const type = edit(path, (db) => db.prepare('SELECT typeof(data) FROM events WHERE seq = 2').pluck().get())
  expect(type).toBe((await nodeZstd()) === undefined ? 'text' : 'blob')
  expect((await valuesOf(path)).slice(1)).toEqual(events)
})

const [first] = base().events() as [SessionEvent]

test.each([
  ['an ignorable event in schema 14', 14, [{ ...first, ignorable: true }], 'is ignorable'],
  ['sources that are no seqs', 17, [{ ...first, sourceEventSeqs: [-1] }], 'no seqs'],
  ['a seq twice', 17, [first, first], 'UNIQUE'],
  ['a time that is not whole', 14, [{ ...first, time: 1.5 }], 'time'],
] as const)('%s is refused', async (_name, schema, events, told) => {
  const path = join(tempDir(), 'sessions.db')
  const writing = writeDatabase(path, [session(events as never)], { schema, newId: () => uuid(1) })
  await expect(writing).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining(told) })
  expect(existsSync(path)).toBe(false)
})

test('a later format and an id twice are refused', async () => {
  await expect(written([{ header: header('s1', { version: 1 }), events: [] }])).rejects.toThrow('format 1')
  await expect(written([session([]), session([])])).rejects.toThrow('the id s1')
})
