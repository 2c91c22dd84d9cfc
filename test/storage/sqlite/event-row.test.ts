import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS, type ReadLimits } from '../../../src/storage/record-source.ts'
import { writeStoredFrame } from '../../../src/storage/zstd/frame-writer.ts'
import { base } from '../../support/sample-logs.ts'
import { edit, itemsOf, judged, session, uuid, valuesOf, written } from './databases.ts'
import { shapedDatabase } from './shapes.ts'

const LIMITS = limited(1000)

function limited(maxRecord: number): ReadLimits {
  return { ...DEFAULT_LIMITS, maxRecord }
}

const packedData = { turn: 1, step: 1, index: 0, dt: [1, -1], texts: ['a', 'b', 'c'] }
const manyTexts = { ...packedData, dt: Array(1024).fill(0), texts: Array(1025).fill('a') }
const longTexts = { ...packedData, texts: ['x'.repeat(1024 * 1024), 'b', 'c'] }

/** What row 2 of a small database of schema 17 becomes when these columns are changed. */
async function rowWith(columns: Record<string, unknown>, limits = LIMITS): Promise<unknown> {
  const path = await written([session(base())])
  const assignments = Object.keys(columns).map((column) => `${column} = ?`)
  edit(path, (db) => {
    db.pragma('ignore_check_constraints = ON')
    db.prepare(`UPDATE events SET ${assignments.join(', ')} WHERE seq = 2`).run(...Object.values(columns))
  })
  return (await valuesOf(path, 's1', limits))[3]
}

const unreadable = (problem: string) =>
  expect.objectContaining({ kind: 'unreadable', problem: expect.stringContaining(problem) })

describe('data', () => {
  test('as text', async () => {
    expect(await rowWith({ data: '{"größe":"🚀"}' })).toMatchObject({ data: { größe: '🚀' } })
  })

  test('as a zstd frame', async () => {
    const frame = await writeStoredFrame(Buffer.from('{"größe":"🚀"}'))
    expect(await rowWith({ data: frame })).toMatchObject({ seq: 2, data: { größe: '🚀' } })
  })

  test('a large frame', async () => {
    const text = JSON.stringify('x'.repeat(400_000))
    const row = await rowWith({ data: await writeStoredFrame(Buffer.from(text)) }, limited(1_000_000))
    expect(row).toMatchObject({ data: JSON.parse(text) })
  })

  test.each([
    ['broken JSON', '{"a":', 'the JSON of data is broken'],
    ['a number', 5, 'data is neither text nor bytes'],
    ['bytes that are no frame', Buffer.from('not zstd'), 'invalid frame magic'],
    ['no bytes', Buffer.alloc(0), 'it is cut'],
  ])('%s', async (_name, data, problem) => {
    expect(await rowWith({ data })).toEqual(unreadable(problem))
  })

  test.each([
    ['a frame that is cut', (frame: Buffer) => frame.subarray(0, -1), 'it is cut'],
    ['bytes after the frame', (frame: Buffer) => Buffer.concat([frame, frame]), 'bytes follow it'],
    [
      'a wrong checksum',
      (frame: Buffer) => Buffer.concat([frame.subarray(0, -1), Buffer.from([frame.at(-1) === 0 ? 1 : 0])]),
      'checksum',
    ],
  ])('%s', async (_name, damage, problem) => {
    const frame = await writeStoredFrame(Buffer.from('{}'))
    expect(await rowWith({ data: damage(frame) })).toEqual(unreadable(problem))
  })

  test('a frame that is not UTF-8', async () => {
    const frame = await writeStoredFrame(Buffer.from('"\xff"', 'latin1'))
    expect(await rowWith({ data: frame })).toEqual(unreadable('data is not UTF-8'))
  })

  test('a text and a frame over the limit are passed over', async () => {
    expect(await rowWith({ data: JSON.stringify('x'.repeat(1000)) })).toEqual({
      kind: 'oversize',
      bytes: 1002,
    })
    const frame = await writeStoredFrame(Buffer.from(JSON.stringify('x'.repeat(2000))))
    expect(await rowWith({ data: frame })).toMatchObject({ kind: 'oversize' })
  })
})

describe('the other columns', () => {
  test.each([
    ['a negative seq', { seq: -1 }, 'seq is no seq'],
    ['an empty type', { type: '' }, 'type is no name'],
    ['a time out of range', { time: 2n ** 60n }, 'time is no whole number'],
    ['a broken surface op', { surface_op: 'append' }, 'the JSON of surface_op is broken'],
    ['sources as text', { source_event_seqs: '[1]' }, 'source_event_seqs is no bytes'],
    ['malformed sources', { source_event_seqs: Buffer.from([0x80]) }, 'truncated varint'],
  ])('%s', async (_name, columns, problem) => {
    const path = await written([session(base())])
    edit(path, (db) => {
      const [column, value] = Object.entries(columns)[0] as [string, unknown]
      db.prepare(`UPDATE events SET ${column} = ? WHERE seq = 2`).run(value)
    })
    expect(await valuesOf(path)).toContainEqual(unreadable(problem))
  })

  test('members come in the order of a line', async () => {
    const columns = { surface_op: '"append"', source_event_seqs: Buffer.from([0]), ignorable: 1 }
    expect(Object.keys((await rowWith(columns)) as object)).toEqual([
      'type',
      'seq',
      'time',
      'data',
      'surfaceOp',
      'sourceEventSeqs',
      'ignorable',
    ])
    expect(await rowWith(columns)).toMatchObject({
      surfaceOp: 'append',
      sourceEventSeqs: [0],
      ignorable: true,
    })
  })

  test('an ignorable of schema 15 is judged with the envelope', async () => {
    const path = shapedDatabase('15', base().events())
    edit(path, (db) => db.exec('UPDATE events SET ignorable = 0 WHERE seq = 2'))
    expect((await valuesOf(path))[3]).toMatchObject({ ignorable: false })
    expect((await judged(path)).codes).toContain('envelope/invalid')
  })
})

describe('packed rows', () => {
  const packed = (data: unknown, more: Record<string, unknown> = {}) => ({
    type: 'text-chunks',
    data: typeof data === 'string' ? data : JSON.stringify(data),
    ignorable: 0,
    ...more,
  })

  test('stay packed', async () => {
    const row = await rowWith(packed(packedData))
    expect(Object.keys(row as object)).toEqual(['type', 'seq0', 'time0', 'data'])
    expect(row).toMatchObject({ type: 'text-chunks', seq0: 2, data: packedData })
  })

  test.each([
    [
      'another type',
      packed({}, { type: 'turn/end' }),
      'malformed turn/end storage row: packed discriminator requires a chunk tag',
    ],
    [
      'a surface op',
      packed(packedData, { surface_op: '"append"' }),
      'malformed text-chunks storage row: packed surface fields must be null',
    ],
    [
      'sources',
      packed(packedData, { source_event_seqs: Buffer.alloc(0) }),
      'packed surface fields must be null',
    ],
    ['too few members', packed({ ...packedData, dt: [1], texts: ['a', 'b'] }), 'it has 2 members'],
    ['too many members', packed(manyTexts), 'it has 1025 members'],
    ['too much data', packed(longTexts), 'its data is longer than 1048576 bytes'],
    ['broken JSON', packed('{'), 'the JSON of data is broken'],
  ])('with %s', async (_name, columns, problem) => {
    expect(await rowWith(columns, limited(4_000_000))).toEqual(unreadable(problem))
  })

  test('one row stands for many events', async () => {
    const path = await written([session(base())])
    edit(path, (db) => {
      db.prepare('DELETE FROM events WHERE seq >= 3').run()
      const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, NULL, NULL, ?)')
      insert.run('s1', 3, 'text-chunks', 1_700_000_000_100, JSON.stringify(packedData), 0)
      insert.run('s1', 6, 'step/end', 1_700_000_000_200, '{"turn":1,"step":1}', null)
    })
    const { events, codes } = await judged(path)
    expect(codes).not.toContain('order/seq-gap')
    expect(events).toBe(7)
  })

  test('of schema 19 are told by a column of their own', async () => {
    const path = shapedDatabase('19', base().events())
    const data = JSON.stringify(packedData)
    edit(path, (db) =>
      db.prepare("UPDATE events SET type = 'text-chunks', data = ?, is_packed = 1 WHERE seq = 2").run(data),
    )
    expect((await valuesOf(path))[3]).toMatchObject({ type: 'text-chunks', seq0: 2, data: packedData })
  })
})

test('data that needs the dictionary of DSH ends the reading, and says so', async () => {
  const path = shapedDatabase('20', base().events())
  const frame = await writeStoredFrame(Buffer.from('{}'))
  edit(path, (db) => db.prepare('UPDATE events SET data = ? WHERE seq = 3').run(frame))
  const { events, findings, judgement } = await judged(path)
  expect(events).toBe(3)
  expect(findings.find(({ code }) => code === 'database/schema')?.origin).toEqual({ row: 3 })
  expect(judgement).toMatchObject({ verdict: 'unsupported', exitCode: 4 })
})

test('records carry the seq and a running number, and reading may begin in the middle', async () => {
  const path = await written([session(base())])
  const all = await itemsOf(path)
  expect(all[0]).toMatchObject({ line: 1, origin: { line: 1 } })
  expect(all[4]).toMatchObject({ line: 5, origin: { line: 5, row: 3 } })
  expect(await itemsOf(path, 's1', undefined, 5)).toEqual(all.slice(4))
  expect(await itemsOf(path, 's1', undefined, 1)).toEqual(all)
  expect(await itemsOf(path, 's1', undefined, 99)).toEqual([])
})

test('a null depth is none, and a header is in the order of a line', async () => {
  const path = await written([
    {
      header: {
        type: 'session',
        version: 0,
        id: 'child',
        createdAt: 5,
        delegationDepth: 2,
        cwd: '/srv/demo',
        parentSession: 's1',
        seedLength: 3,
        origin: 'subagent',
        agentPreset: 'default',
      },
      events: [],
    },
  ])
  const [header] = await valuesOf(path, 'child')
  expect(JSON.stringify(header)).toBe(
    '{"type":"session","version":0,"id":"child","createdAt":5,"delegationDepth":2,"cwd":"/srv/demo","parentSession":"s1","seedLength":3,"origin":"subagent","agentPreset":"default"}',
  )
  edit(path, (db) => db.exec('UPDATE sessions SET delegation_depth = NULL, cwd = NULL, seed_length = NULL'))
  const [bare] = await valuesOf(path, 'child')
  expect(bare).toMatchObject({ delegationDepth: 0 })
  expect(bare).not.toHaveProperty('cwd')
  expect(bare).not.toHaveProperty('seedLength')
})

test('the policy columns of schema 11 are no part of a header', async () => {
  const path = shapedDatabase('11', base().events())
  edit(path, (db) => db.exec("UPDATE sessions SET sandbox_mode = 'x', approval_policy = 'y'"))
  expect((await judged(path)).codes).toEqual([])
})

test('a format that no build kept in a database is named', async () => {
  const path = await written([session(base())])
  edit(path, (db) => db.exec('UPDATE sessions SET version = 1'))
  const { codes, judgement } = await judged(path)
  expect(codes).toContain('database/schema')
  expect(judgement).toMatchObject({ verdict: 'unsupported', opens: false })
})

test('a session that is not there has no header', async () => {
  const path = await written([session(base())])
  expect(await valuesOf(path, uuid(9))).toEqual([unreadable('holds no row')])
})

test.each([
  ['surface_op', '{', { surfaceOp: undefined }],
  ['source_event_seqs', '[1]', { sourceEventSeqs: undefined }],
])('what is left of a row whose %s cannot be read', async (column, value, without) => {
  const path = await written([session(base())])
  edit(path, (db) => db.prepare(`UPDATE events SET ${column} = ? WHERE seq = 4`).run(value))
  const rest = JSON.parse(JSON.stringify({ ...base().events()[4], ...without }))
  expect(await valuesOf(path)).toContainEqual(expect.objectContaining({ kind: 'unreadable', rest }))
})
