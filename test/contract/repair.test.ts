/** `repair -o` in compressed logs and databases: the copy opens, needs nothing more, and the original is untouched. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../src/core/event/session-event.ts'
import type { ReportData } from '../../src/report/report.ts'
import { containerOf } from '../../src/storage/detect.ts'
import { writeFrame, writeStoredFrame } from '../../src/storage/zstd/frame-writer.ts'
import { edit } from '../storage/sqlite/databases.ts'
import { SHAPES, shapedDatabase } from '../storage/sqlite/shapes.ts'
import { answerOf, readBack, wholeLog, written } from '../support/containers.ts'
import { listing } from '../support/listing.ts'
import { type LogBuilder, log } from '../support/log-builder.ts'
import { kindsOf, type Piece, piecesOf } from '../support/repairing.ts'
import { runMain } from '../support/run-main.ts'
import { repair, undo } from '../support/run-repair.ts'
import { base, crashed, twoTurns } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

interface Repaired {
  readonly output: string
  readonly data: ReportData<'repair'>
  /** The bytes that were taken out, in the order of the file. */
  readonly quarantine: Buffer | undefined
  readonly pieces: readonly Piece[]
}

/** Repairs into another folder, and holds the promises that every repair makes. */
async function repaired(path: string): Promise<Repaired> {
  const folder = tempDir()
  const output = join(folder, 'repaired')
  const before = listing(dirname(path))
  const planned = await repair(path)
  expect(planned.exitCode).toBe(1)
  const { exitCode, stderr, data } = await repair(path, '-o', output)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(listing(dirname(path))).toEqual(before)
  expect(data.steps).toEqual(planned.data.steps)
  const names = data.quarantine === undefined ? ['repaired'] : ['repaired', 'repaired.quarantine']
  expect(readdirSync(folder).toSorted()).toEqual(names)
  expect(await containerOf(output)).toBe(await containerOf(path))
  expect(await repair(output)).toMatchObject({ exitCode: 0, data: { steps: [] } })
  const { judgement, closers } = await answerOf(output)
  expect(judgement).toMatchObject({ opens: true, exitCode: 0 })
  expect(closers).toEqual([])
  if (data.quarantine === undefined) return { output, data, quarantine: undefined, pieces: [] }
  const pieces = piecesOf(data).filter(({ why }) => why !== 'renumbered')
  const bytes = pieces.map(({ text, base64 }) =>
    Buffer.from(text ?? base64 ?? '', text === undefined ? 'base64' : 'utf8'),
  )
  return { output, data, quarantine: Buffer.concat(bytes), pieces }
}

const line = (event: object): string => `${JSON.stringify(event)}\n`

/** The header in a frame of its own, then a frame for each text. */
async function frames(built: LogBuilder, ...batches: readonly string[]): Promise<Buffer> {
  const [header] = built.lines() as [Buffer]
  const parts = [`${header}\n`, ...batches].map((batch) => writeFrame(Buffer.from(batch)))
  return Buffer.concat(await Promise.all(parts))
}

/** The text of the events from one seq up to another. */
function rows(built: LogBuilder, from: number, to = Number.POSITIVE_INFINITY): string {
  return built.events().slice(from, to).map(line).join('')
}

describe('a compressed log', () => {
  test('cut off inside a turn is closed, and its bytes stay', async () => {
    const bytes = await frames(crashed(), rows(crashed(), 0))
    const { output, data, quarantine } = await repaired(tempFile(bytes, 'session.jsonl.zstd'))
    expect(kindsOf(data)).toEqual(['close-turn'])
    expect(quarantine).toBeUndefined()
    expect(readFileSync(output).subarray(0, bytes.length)).toEqual(bytes)
    const { events } = await readBack(output)
    expect(events.slice(0, 14)).toEqual(crashed().events())
    expect(events.slice(14)).toEqual(data.closers)
    expect(events.map(({ type }) => type).slice(14)).toEqual(['tool/result', 'step/end', 'turn/end'])
  })

  test('with a torn last frame loses that frame', async () => {
    const whole = await frames(base(), rows(base(), 0))
    const last = await writeFrame(Buffer.from(rows(crashed(), 9)))
    for (const bytes of [1, 3, 4, 9, last.length - 1]) {
      const path = tempFile(Buffer.concat([whole, last.subarray(0, bytes)]), 'session.jsonl.zstd')
      const { output, data, quarantine } = await repaired(path)
      expect(kindsOf(data)).toContain('cut-tail')
      expect(quarantine).toEqual(last.subarray(0, bytes))
      const { events } = await readBack(output)
      expect(events.slice(0, 9)).toEqual(base().events())
    }
  })

  test('with a torn last frame keeps the records that can be read of it', async () => {
    const many = crashed()
    for (let n = 0; n < 60; n++) many.event('plan/mode', { text: `${n} `.repeat(2000) })
    const whole = await frames(base(), rows(base(), 0))
    const last = await writeStoredFrame(Buffer.from(rows(many, 9)))
    const torn = last.subarray(0, last.length - 20_000)
    const path = tempFile(Buffer.concat([whole, torn]), 'session.jsonl.zstd')
    const { output, data, quarantine } = await repaired(path)
    expect(kindsOf(data)).toEqual(['cut-tail', 'close-turn'])
    expect(quarantine).toEqual(torn)
    const { events } = await readBack(output)
    const kept = events.length - data.closers.length
    expect(kept).toBeGreaterThan(20)
    expect(events.slice(0, kept)).toEqual(many.events().slice(0, kept))
    expect(events.slice(kept)).toEqual(data.closers)
  })

  test('whose first batch is torn keeps its header', async () => {
    const header = await frames(base())
    const torn = (await writeFrame(Buffer.from(rows(base(), 0)))).subarray(0, 50)
    const path = tempFile(Buffer.concat([header, torn]), 'session.jsonl.zstd')
    const { output, quarantine } = await repaired(path)
    expect(readFileSync(output)).toEqual(header)
    expect(quarantine).toEqual(torn)
  })

  test('with a damaged line inside its last frame loses that line', async () => {
    const built = crashed()
    const tail = `${rows(built, 9, 11)}{"type":"step/sta\n${rows(built, 11)}`
    const whole = await frames(built, rows(built, 0, 9))
    const bytes = Buffer.concat([whole, await writeFrame(Buffer.from(tail))])
    const { output, data, quarantine } = await repaired(tempFile(bytes, 'session.jsonl.zstd'))
    expect(kindsOf(data)).toEqual(['drop-rows', 'close-turn'])
    expect(String(quarantine)).toBe('{"type":"step/sta')
    const { events } = await readBack(output)
    expect(events).toEqual([...built.events(), ...data.closers])
    expect(readFileSync(output).subarray(0, whole.length)).toEqual(whole)
  })

  test('with a damaged line at the very end of a frame that is followed by others', async () => {
    const built = base()
    const bytes = await frames(built, `${rows(built, 0)}%%%\n`, rows(base().user('a'), 9), '%%%\n')
    const { output, data, pieces } = await repaired(tempFile(bytes, 'session.jsonl.zstd'))
    expect(kindsOf(data)).toEqual(['drop-rows'])
    expect(pieces.map(({ text }) => text)).toEqual(['%%%', '%%%'])
    expect((await readBack(output)).events).toEqual([...base().user('a').events(), ...data.closers])
  })

  test('that is damaged in the middle loses that frame, and keeps the others as they are', async () => {
    const batches = [rows(twoTurns(), 0, 9), rows(twoTurns(), 9, 11), rows(twoTurns(), 11)]
    const bytes = await frames(twoTurns(), ...batches)
    const first = (await frames(twoTurns(), ...batches.slice(0, 1))).length
    const second = (await frames(twoTurns(), ...batches.slice(0, 2))).length
    bytes.fill(0xff, first + 20, second - 4)
    const { output, data, quarantine } = await repaired(tempFile(bytes, 'session.jsonl.zstd'))
    expect(kindsOf(data)).toEqual(['rewrite-frames', 'fill-gap'])
    expect(quarantine).toEqual(bytes.subarray(first, second))
    expect(readFileSync(output).subarray(0, first)).toEqual(bytes.subarray(0, first))
    const { events } = await readBack(output)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    // The start of the turn is put back; the message is lost.
    expect(events.length).toBe(twoTurns().events().length - 1)
    expect(events[9]).toMatchObject({ type: 'turn/start', data: { turn: 2 } })
  })

  test.each([
    ['checksum', -1, true],
    ['magic number', 0, false],
  ])('whose last frame has a wrong %s loses nothing', async (_, at, isDoubtful) => {
    const start = (await frames(twoTurns(), rows(twoTurns(), 0, 9))).length
    const bytes = await frames(twoTurns(), rows(twoTurns(), 0, 9), rows(twoTurns(), 9))
    const place = at < 0 ? bytes.length + at : start + at
    bytes[place] = (bytes[place] as number) ^ 1
    const { output, data, pieces } = await repaired(tempFile(bytes, 'session.jsonl.zstd'))
    expect(kindsOf(data)).toEqual(['rewrite-frames'])
    expect((await readBack(output)).events).toEqual(twoTurns().events())
    expect(pieces.length).toBe(isDoubtful ? 1 : 0)
  })
})

describe.each(['SQLite 14', 'SQLite 17'] as const)('%s', (schema) => {
  const columns = schema === 'SQLite 14' ? 6 : 7

  async function database(built: LogBuilder, ...extra: readonly (readonly unknown[])[]): Promise<string> {
    const path = await written(schema, await wholeLog(built.bytes()))
    const db = new Database(path)
    const { id } = db.prepare('SELECT id FROM sessions').get() as { id: string }
    const insert = db.prepare(`INSERT INTO events VALUES (?${', ?'.repeat(columns)})`)
    for (const values of extra) {
      const padded = [...values, ...Array<null>(columns - values.length).fill(null)]
      insert.run(id, ...padded)
    }
    db.close()
    return path
  }

  test('cut off inside a turn is closed', async () => {
    const { output, data, quarantine } = await repaired(await database(crashed()))
    expect(kindsOf(data)).toEqual(['close-turn'])
    expect(quarantine).toBeUndefined()
    const { events, header } = await readBack(output)
    expect(header).toEqual((await wholeLog(crashed().bytes())).header)
    expect(events.slice(0, 14)).toEqual(crashed().events())
    expect(events.slice(14)).toEqual(data.closers)
  })

  test('with torn rows loses them to quarantine', async () => {
    const path = await database(crashed(), [14, 'plan/mode', 5, '{"half":'], [15, 'plan/mode', 6, '{}'])
    const { output, data, pieces } = await repaired(path)
    expect(kindsOf(data)).toEqual(['drop-rows', 'close-gap', 'close-turn'])
    expect(pieces).toMatchObject([
      { row: 14, stored: { seq: 14, type: 'plan/mode', time: 5, data: '{"half":' } },
    ])
    const { events } = await readBack(output)
    expect(events.slice(14)).toEqual([{ type: 'plan/mode', seq: 14, time: 6, data: {} }, ...data.closers])
  })

  test('with a gap at the end keeps what is after it', async () => {
    const { output, data, pieces } = await repaired(await database(base(), [11, 'plan/mode', 5, '{}']))
    expect(kindsOf(data)).toEqual(['close-gap'])
    expect(pieces).toEqual([])
    const moved = { type: 'plan/mode', seq: 9, time: 5, data: {} }
    expect((await readBack(output)).events).toEqual([...base().events(), moved])
  })

  const COLUMNS: readonly (readonly [string, number, string])[] = [
    ['a list of sources that is no JSON', 4, "source_event_seqs = '{'"],
    ['a list of sources that is text', 6, "source_event_seqs = 'x'"],
    ['a surface operation that is no JSON', 4, "surface_op = '{'"],
    ['both', 6, "source_event_seqs = 5, surface_op = '{'"],
  ]

  test.each(COLUMNS)('keeps an event with %s', async (_name, seq, columns) => {
    const path = await database(base())
    const db = new Database(path)
    db.exec(`UPDATE events SET ${columns} WHERE seq = ${seq}`)
    db.close()
    const { output, data, pieces } = await repaired(path)
    expect([...new Set(kindsOf(data))]).toEqual(['mend-rows'])
    expect(pieces).toMatchObject([{ why: 'bytes/bad-line', row: seq }])
    const { events } = await readBack(output)
    const wanted = base().events()
    expect(events.map(({ data }) => data)).toEqual(wanted.map(({ data }) => data))
    expect(events.map(({ surfaceOp }) => surfaceOp)).toEqual(wanted.map(({ surfaceOp }) => surfaceOp))
  })

  const FIRST_TIME = base().events()[0]?.time
  const HEADERS: readonly (readonly [string, string, object])[] = [
    ['a relative working directory', "cwd = 'x'", { cwd: undefined }],
    ['a negative length of the inherited part', 'seed_length = -1', { seedLength: undefined }],
    ['an unknown origin', "origin = 'elsewhere'", { origin: undefined }],
    ['a negative depth', 'delegation_depth = -1', { delegationDepth: 0 }],
    ['a negative depth of a subagent', "delegation_depth = -1, origin = 'subagent'", { delegationDepth: 1 }],
    ['a negative time', 'created_at = -5', { createdAt: FIRST_TIME }],
    ['two columns at once', "cwd = 'x', created_at = -5", { cwd: undefined, createdAt: FIRST_TIME }],
  ]

  test.each(HEADERS)('mends %s in the row of the session', async (_name, columns, mended) => {
    const path = await database(base())
    const db = new Database(path)
    db.exec(`UPDATE sessions SET ${columns}`)
    const [stored] = db.prepare('SELECT * FROM sessions').all()
    const events = db.prepare('SELECT * FROM events').all()
    db.close()
    const { header } = await readBack(path)
    const { output, data, pieces } = await repaired(path)
    expect(kindsOf(data)).toEqual(['mend-header'])
    expect(pieces).toEqual([{ why: 'header/invalid', line: 1, stored }])
    expect((await readBack(output)).header).toEqual(JSON.parse(JSON.stringify({ ...header, ...mended })))
    const after = new Database(output)
    expect(after.prepare('SELECT * FROM events').all()).toEqual(events)
    expect(after.prepare('SELECT revision FROM sessions').pluck().get()).toBe(2)
    after.close()
  })

  test('mends a header and a gap in place; undo restores both', async () => {
    const path = await database(twoTurns())
    const db = new Database(path)
    db.exec("UPDATE sessions SET cwd = 'x'; DELETE FROM events WHERE seq = 9")
    db.close()
    utimesSync(path, 0, 0)
    const { output: copy } = await repaired(path)
    const before = readFileSync(path)
    const { exitCode, data } = await repair(path, '--in-place')
    expect({ exitCode, kinds: kindsOf(data) }).toEqual({ exitCode: 0, kinds: ['mend-header', 'fill-gap'] })
    expect(await readBack(path)).toEqual(await readBack(copy))
    expect((await readBack(path)).header.cwd).toBeUndefined()
    expect(await repair(path)).toMatchObject({ exitCode: 0, data: { steps: [] } })
    expect((await undo(path)).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(before)
  })

  test('that is not marked as a session store goes into a fresh one, also when other things are mended', async () => {
    for (const [built, kinds] of [
      [base(), ['salvage-database']],
      [crashed(), ['salvage-database', 'close-turn']],
    ] as const) {
      const path = await database(built)
      const db = new Database(path)
      db.pragma('user_version = 0')
      db.close()
      const { output, data } = await repaired(path)
      expect(kindsOf(data)).toEqual(kinds)
      expect((await readBack(output)).events).toEqual([...built.events(), ...data.closers])
    }
  })

  test('counts its revision up, and leaves other sessions as they are', async () => {
    const path = await database(crashed())
    const db = new Database(path)
    db.exec(
      `INSERT INTO sessions (id, version, created_at, incarnation, revision) VALUES ('z', 0, 1, '${uuid(9)}', 4)`,
    )
    db.prepare(
      `INSERT INTO events (session_id, seq, type, time, data) VALUES ('z', 0, 'turn/start', 1, '{"turn":1}')`,
    ).run()
    const { id } = db.prepare('SELECT id FROM sessions').get() as { id: string }
    db.close()
    const output = join(tempDir(), 'repaired.db')
    expect((await runMain(['repair', `${path}#${id}`, '-o', output])).exitCode).toBe(0)
    const copy = new Database(output, { readonly: true })
    const revisions = copy.prepare('SELECT id, revision FROM sessions ORDER BY rowid').raw().all()
    const others = copy.prepare("SELECT seq, type FROM events WHERE session_id = 'z'").raw().all()
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    copy.close()
    expect(revisions).toEqual([
      [id, 2],
      ['z', 4],
    ])
    expect(others).toEqual([[0, 'turn/start']])
  })

  test('whose writer was killed is closed with what its write-ahead log holds', async () => {
    const path = await database(base())
    await killedWriter(path, crashed().events().slice(9))
    expect(readdirSync(dirname(path)).toSorted()).toEqual(['log.db', 'log.db-shm', 'log.db-wal'])
    const { output, data } = await repaired(path)
    expect(kindsOf(data)).toEqual(['close-turn'])
    const { events } = await readBack(output)
    expect(events.slice(0, 14)).toEqual(crashed().events())
    expect(events.slice(14)).toEqual(data.closers)
  })
})

function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
}

/** Another process that appends in write-ahead mode and never gets to close the database. */
async function killedWriter(path: string, events: readonly SessionEvent[]): Promise<void> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('killed-writer.mjs', import.meta.url)), path],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.stdin.end(JSON.stringify(events))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGKILL')
  await gone
}

/** What was there before the first release is shown, and not written. */
const RELEASED = Object.keys(SHAPES).filter((name) => Number(SHAPES[name]?.version) > 3)

test.each(RELEASED)('a header and a gap are mended in the columns of schema %s', async (name) => {
  const path = shapedDatabase(name, base().events())
  edit(path, (db) => db.exec("UPDATE sessions SET cwd = 'x'; DELETE FROM events WHERE seq = 4"))
  const before = await readBack(path)
  const { output, data } = await repaired(path)
  expect(kindsOf(data)).toEqual(['mend-header', 'fill-gap'])
  const { cwd, ...header } = before.header
  expect(cwd).toBe('x')
  expect((await readBack(output)).header).toEqual(header)
})

test('of a damaged database what can be reached goes into a fresh one', async () => {
  const long = base()
  for (let n = 0; n < 300; n++) long.event('plan/mode', { text: `${n} `.repeat(100) })
  const path = await written('SQLite 14', await wholeLog(long.bytes()))
  const bytes = readFileSync(path)
  bytes.fill(0xee, bytes.length - 4096)
  writeFileSync(path, bytes)
  const folder = tempDir()
  const output = join(folder, 'repaired.db')
  const { exitCode, data } = await repair(path, '-o', output)
  expect(exitCode).toBe(0)
  expect(kindsOf(data)).toContain('salvage-database')
  const { events } = await readBack(output)
  expect(events.length).toBeGreaterThan(200)
  expect(events.slice(0, 9)).toEqual(base().events())
  expect((await runMain(['check', output])).exitCode).toBe(0)
  expect(readFileSync(path)).toEqual(bytes)
})

test('a log that cannot be told from its copy is refused', async () => {
  const path = await written('SQLite 17', await wholeLog(crashed().bytes()))
  const before = readFileSync(path)
  expect((await runMain(['repair', path, '-o', path])).exitCode).toBe(2)
  expect(readFileSync(path)).toEqual(before)
})

describe('nothing that is there is replaced', () => {
  const torn = base().torn('{"type":').bytes()

  test.each([
    ['the log itself, packed by gzip', 'log.jsonl.gz', gzipSync(torn), 'log.jsonl.gz'],
    ['the log itself, where the quarantine would go', 'log.jsonl.quarantine', torn, 'log.jsonl'],
    ['another log', 'log.jsonl', torn, 'other.jsonl'],
    ['an earlier quarantine', 'log.jsonl', torn, 'third.jsonl'],
  ])('%s', async (_name, file, content, output) => {
    const folder = dirname(tempFile(content, file))
    writeFileSync(join(folder, 'other.jsonl'), base().bytes())
    writeFileSync(join(folder, 'third.jsonl.quarantine'), 'rows')
    const before = listing(folder)
    expect((await runMain(['repair', join(folder, file), '-o', join(folder, output)])).exitCode).toBe(2)
    expect(listing(folder)).toEqual(before)
  })
})

test('a session without events has nothing to repair, in any container', async () => {
  for (const name of ['zstd', 'SQLite 14', 'SQLite 17'] as const) {
    const path = await written(name, await wholeLog(log().bytes()))
    expect((await runMain(['repair', path])).exitCode).toBe(0)
  }
})
