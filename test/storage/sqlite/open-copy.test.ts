import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openCopy } from '../../../src/storage/sqlite/open-copy.ts'
import { ToolError } from '../../../src/storage/tool-error.ts'
import { twoTurns } from '../../support/sample-logs.ts'
import { tempDir, tempFile } from '../../support/temp-dir.ts'
import { edit, judged, session, written } from './databases.ts'

afterEach(() => vi.unstubAllEnvs())

/** Names, bytes, modes and times of everything in the folder, and the folder's own time. */
function traceOf(folder: string): unknown {
  const { mtimeNs, mode } = statSync(folder, { bigint: true })
  const files = readdirSync(folder).map((name) => {
    const path = join(folder, name)
    const status = statSync(path, { bigint: true })
    return [name, status.mtimeNs, status.ctimeNs, status.mode, readFileSync(path).toString('base64')]
  })
  return { mtimeNs, mode, files }
}

/** Runs a writer that dies in the middle. */
function killedWriter(path: string, script: string): void {
  const code = `
    import Database from 'better-sqlite3'
    const db = new Database(process.argv[1])
    ${script}
    process.kill(process.pid, 'SIGKILL')
    setInterval(() => {}, 1000)`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code, path])
  expect(run.signal, run.stderr.toString()).toBe('SIGKILL')
}

const NEXT = `INSERT INTO events SELECT session_id, 15, type, time, data, source_event_seqs, surface_op, ignorable FROM events WHERE seq = 8`

async function leavesNoTrace(path: string) {
  const folder = dirname(path)
  const before = traceOf(folder)
  const result = await judged(path)
  expect(traceOf(folder)).toEqual(before)
  return result
}

describe('reading leaves no trace', () => {
  test('of a database with a rollback journal', async () => {
    const path = await written([session(twoTurns())])
    expect((await leavesNoTrace(path)).events).toBe(15)
  })

  test('of a resting write-ahead database', async () => {
    const path = await written([session(twoTurns())])
    edit(path, (db) => db.pragma('journal_mode = WAL'))
    expect(readdirSync(dirname(path))).toEqual(['sessions.db'])
    expect((await leavesNoTrace(path)).events).toBe(15)
  })

  test('of a write-ahead log that nobody checkpointed, whose rows are read', async () => {
    const path = await written([session(twoTurns())])
    killedWriter(path, `db.pragma('journal_mode = WAL'); db.exec("${NEXT}")`)
    expect(readdirSync(dirname(path))).toContain('sessions.db-wal')
    expect((await leavesNoTrace(path)).events).toBe(16)
  })

  test('of a transaction that was never committed, whose rows are not read', async () => {
    const path = await written([session(twoTurns())])
    killedWriter(path, `db.pragma('journal_mode = WAL'); db.exec("BEGIN; ${NEXT}")`)
    expect((await leavesNoTrace(path)).events).toBe(15)
  })

  test('of a hot rollback journal, whose transaction is undone in the copy', async () => {
    const path = await written([session(twoTurns())])
    killedWriter(
      path,
      `db.pragma('cache_size = 1')
       db.exec("BEGIN; DELETE FROM events WHERE seq > 3; CREATE TABLE filler (x)")
       const fill = db.prepare("INSERT INTO filler VALUES (zeroblob(3000))")
       for (let row = 0; row < 200; row++) fill.run()`,
    )
    expect(readdirSync(dirname(path))).toContain('sessions.db-journal')
    const { events, codes } = await leavesNoTrace(path)
    expect([events, codes]).toEqual([15, []])
  })

  test('of a database that a writer holds open', async () => {
    const path = await written([session(twoTurns())])
    const writer = new Database(path)
    try {
      writer.pragma('journal_mode = WAL')
      writer.exec(NEXT)
      writer.exec('BEGIN IMMEDIATE')
      expect((await leavesNoTrace(path)).events).toBe(16)
      writer.exec('COMMIT')
    } finally {
      writer.close()
    }
  })

  test('of a read-only file in a read-only folder', async () => {
    const path = await written([session(twoTurns())])
    edit(path, (db) => db.pragma('journal_mode = WAL'))
    chmodSync(path, 0o444)
    chmodSync(dirname(path), 0o555)
    try {
      expect((await leavesNoTrace(path)).events).toBe(15)
    } finally {
      chmodSync(dirname(path), 0o755)
    }
  })

  test('of a file through a link, with the log next to the file', async () => {
    const path = await written([session(twoTurns())])
    killedWriter(path, `db.pragma('journal_mode = WAL'); db.exec("${NEXT}")`)
    const link = join(tempDir(), 'link.db')
    symlinkSync(path, link)
    expect((await leavesNoTrace(link)).events).toBe(16)
  })
})

test('the copy is private, and gone when it is closed', async () => {
  const path = await written([session(twoTurns())])
  const temporary = join(tempDir(), 'temporary')
  mkdirSync(temporary)
  vi.stubEnv('TMPDIR', temporary)
  const database = await openCopy(path)
  const [folder] = readdirSync(temporary)
  const copy = join(temporary, folder as string)
  expect(statSync(copy).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(copy)) expect(statSync(join(copy, name)).mode & 0o777).toBe(0o600)
  await database.close()
  expect(readdirSync(temporary)).toEqual([])
})

test('nothing stays behind when a database cannot be opened', async () => {
  const temporary = join(tempDir(), 'temporary')
  mkdirSync(temporary)
  const path = tempFile('SQLite format 3\0 and then something else'.padEnd(4096, '!'), 'sessions.db')
  vi.stubEnv('TMPDIR', temporary)
  await expect(openCopy(path)).rejects.toThrow(ToolError)
  expect(readdirSync(temporary)).toEqual([])
})

test('a file that is not there is an input error', async () => {
  await expect(openCopy(join(tempDir(), 'none.db'))).rejects.toMatchObject({ code: 'input', exitCode: 3 })
})

test('the connection can change nothing', async () => {
  const database = await openCopy(await written([session(twoTurns())]))
  try {
    expect(() => database.connection.exec('DELETE FROM events')).toThrow()
    expect(database.connection.pragma('trusted_schema', { simple: true })).toBe(0)
  } finally {
    await database.close()
  }
})

test('a writer that does not rest is reported', async () => {
  const path = await written([session(twoTurns())])
  let done = false
  const writer = (async () => {
    for (let time = 1; !done; time++) await utimes(path, time, time)
  })()
  try {
    const { codes, judgement } = await judged(path)
    expect(codes).toEqual(['bytes/changed-while-reading'])
    expect(judgement.verdict).toBe('incomplete')
  } finally {
    done = true
    await writer
  }
})
