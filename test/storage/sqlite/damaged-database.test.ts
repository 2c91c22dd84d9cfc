import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import { openCopy } from '../../../src/storage/sqlite/open-copy.ts'
import { listSessions } from '../../../src/storage/sqlite/sessions.ts'
import { ToolError } from '../../../src/storage/tool-error.ts'
import { runs } from '../../support/effort.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { edit, itemsOf, judged, session, written } from './databases.ts'

const COUNT = 3000
const PAGE = 4096

/** Titles and one turn, about thirty to a page; that of seq 1000 goes over many pages. */
const events: readonly SessionEvent[] = Array.from({ length: COUNT }, (_, seq) => {
  if (seq === COUNT - 2) return { type: 'turn/start', seq, time: seq, data: { turn: 1 } }
  if (seq === COUNT - 1)
    return { type: 'turn/end', seq, time: seq, data: { turn: 1, reason: { kind: 'completed' } } }
  // Long, and of no use to a compressor, so that it fills overflow pages on every Node.
  const title = seq === 1000 ? noise(60_000) : `entry ${seq} ${'x'.repeat(90)}`
  return { type: 'session/title', seq, time: seq, data: { title } }
})

function pagesOf(path: string, name: string, type: string): readonly number[] {
  return edit(path, (db) =>
    db
      .prepare('SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY pageno')
      .pluck()
      .all(name, type),
  ) as number[]
}

function destroy(path: string, ...pages: readonly number[]): void {
  const file = openSync(path, 'r+')
  for (const page of pages) writeSync(file, Buffer.alloc(PAGE, 0xee), 0, PAGE, (page - 1) * PAGE)
  closeSync(file)
}

async function read(path: string) {
  const items = await itemsOf(path)
  const seqs = items.flatMap((item) =>
    item.kind === 'record' && item.line > 1 ? [item.origin.row as number] : [],
  )
  const faults = items.filter((item) => item.kind === 'fault')
  return { seqs, faults, codes: faults.map(({ code }) => code) }
}

const middle = (pages: readonly number[]): number => pages[pages.length >> 1] as number

describe('a destroyed page', () => {
  test('of the table loses its own rows, and no others', async () => {
    const path = await written([session(events)])
    destroy(path, middle(pagesOf(path, 'events', 'leaf')))
    const { seqs, faults } = await read(path)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ code: 'database/damaged', losesRecords: true })
    const hole = faults[0]?.origin.row as number
    expect(seqs).not.toContain(hole)
    expect(seqs).toContain(hole - 1)
    expect(seqs.length).toBeGreaterThan(COUNT - 40)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    const { codes, findings } = await judged(path)
    expect(codes).toContain('order/seq-gap')
    const gap = findings.find(({ code }) => code === 'order/seq-gap')
    expect(gap?.causedBy?.code).toBe('database/damaged')
  })

  test('of the table, and another one far off, are two holes', async () => {
    const path = await written([session(events)])
    const leaves = pagesOf(path, 'events', 'leaf')
    destroy(path, leaves[20] as number, leaves[60] as number)
    const { seqs, codes } = await read(path)
    expect(codes).toEqual(['database/damaged', 'database/damaged'])
    expect(seqs.length).toBeGreaterThan(COUNT - 80)
  })

  test.each(['leaf', 'internal'])('of the index loses nothing (%s)', async (type) => {
    const path = await written([session(events)])
    destroy(path, middle(pagesOf(path, 'sqlite_autoindex_events_1', type)))
    const { seqs, codes } = await read(path)
    expect(codes).toEqual(['database/damaged'])
    expect(seqs).toEqual(events.map(({ seq }) => seq))
  })

  test('of a long value loses one row', async () => {
    const path = await written([session(events)])
    destroy(path, middle(pagesOf(path, 'events', 'overflow')))
    const { seqs, faults } = await read(path)
    expect(seqs.length).toBeGreaterThanOrEqual(COUNT - 1)
    expect(faults.length).toBeLessThanOrEqual(1)
  })

  test.each(['first', 'last'])('at the %s rows is said', async (which) => {
    const path = await written([session(events)])
    const leaves = pagesOf(path, 'events', 'leaf')
    destroy(path, leaves.at(which === 'first' ? 0 : -1) as number)
    const { seqs, codes } = await read(path)
    expect(codes).toEqual(['database/damaged'])
    expect(seqs.length).toBeGreaterThan(COUNT - 80)
  })

  test('at the root of the table leaves nothing', async () => {
    const path = await written([session(events)])
    destroy(path, pagesOf(path, 'events', 'internal')[0] as number)
    const { codes } = await read(path)
    expect(codes).toContain('database/damaged')
    expect((await judged(path)).judgement.exitCode).toBe(1)
  })

  test('of the sessions costs the header alone', async () => {
    const path = await written([session(events)])
    destroy(
      path,
      ...pagesOf(path, 'sessions', 'leaf'),
      ...pagesOf(path, 'sqlite_autoindex_sessions_1', 'leaf'),
    )
    const { seqs } = await read(path)
    expect(seqs).toHaveLength(COUNT)
    expect((await judged(path)).codes).toContain('header/missing')
  })

  test('of the index of the sessions costs nothing', async () => {
    const path = await written([session(events), session([], 'other')])
    destroy(path, ...pagesOf(path, 'sqlite_autoindex_sessions_1', 'leaf'))
    expect((await judged(path)).codes).toEqual([])
  })
})

test('another session does not suffer', async () => {
  const path = await written([session(events), session(events.slice(0, 50), 'other')])
  destroy(path, pagesOf(path, 'events', 'leaf')[3] as number)
  expect((await judged(path, 'other')).codes).toEqual([])
})

test('a file that ends too early is read as far as it goes', async () => {
  const path = await written([session(events)])
  const { length } = readFileSync(path)
  truncateSync(path, length - 40 * PAGE)
  const { seqs, codes, faults } = await read(path)
  expect(codes).toContain('database/damaged')
  expect(faults[0]?.args).toEqual({
    problem: `the file ends after ${length - 40 * PAGE} of ${length} bytes`,
  })
  expect(seqs.length).toBeGreaterThan(100)
  expect((await judged(path)).judgement.exitCode).toBe(1)
})

/** Opens and reads whatever is there; says how it went. */
async function survive(path: string): Promise<'read' | 'refused'> {
  try {
    const database = await openCopy(path)
    try {
      listSessions(database)
    } finally {
      await database.close()
    }
    await judged(path)
    return 'read'
  } catch (error) {
    if (error instanceof ToolError) return 'refused'
    throw error
  }
}

test('cut anywhere, a small database is read or refused', async () => {
  const whole = readFileSync(await written([session(events.slice(0, 40))]))
  const path = join(tempDir(), 'cut.db')
  const sizes = [0, 1, 15, 16, 17, 99, 100, 101, 511, 512, 513, 1000, 2048]
  for (let size = PAGE; size < whole.length; size += PAGE) sizes.push(size - 1, size, size + 1, size + 700)
  const results: string[] = []
  for (const size of sizes) {
    writeFileSync(path, whole.subarray(0, size))
    results.push(await survive(path))
  }
  expect(results).toContain('read')
  expect(results).toContain('refused')
})

test('with any bytes changed, a small database is read or refused', async () => {
  const whole = await written([session(events.slice(0, 40))])
  const { length } = readFileSync(whole)
  const path = join(tempDir(), 'changed.db')
  const inPageHeader = fc.tuple(fc.nat(length / PAGE - 1), fc.nat(120)).map(([page, at]) => page * PAGE + at)
  const change = fc.tuple(
    fc.oneof(fc.nat(length - 1), fc.nat(200), inPageHeader),
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      copyFileSync(whole, path)
      const file = openSync(path, 'r+')
      for (const [at, bytes] of changes) writeSync(file, bytes, 0, bytes.length, at)
      closeSync(file)
      await survive(path)
    }),
    { numRuns: runs(150) },
  )
})

/** Text that does not repeat itself. */
function noise(length: number): string {
  let text = ''
  for (let block = 0; text.length < length; block++)
    text += createHash('sha256').update(`${block}`).digest('base64')
  return text.slice(0, length)
}
