/** From what was named to the logs that are read: ids, stores, databases, and names that do not fit (format.md §1). */
import { readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { resolveInputs } from '../../../src/load/inputs/resolve-inputs.ts'
import type { Report, ReportSet } from '../../../src/report/report.ts'
import { writeDatabase } from '../../../src/storage/sqlite/write-database.ts'
import { readBack, wholeLog, written } from '../../support/containers.ts'
import { fileTree, placeOf } from '../../support/file-tree.ts'
import { laterBase } from '../../support/later-log.ts'
import { listing } from '../../support/listing.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { runMain } from '../../support/run-main.ts'
import { base, twoTurns } from '../../support/sample-logs.ts'
import { tempDir, tempFile } from '../../support/temp-dir.ts'

function session(id: string, cwd: string | undefined = '/w'): LogBuilder {
  return base().header({ id, cwd })
}

const PAIR = {
  [placeOf('alpha-1', '/w')]: session('alpha-1'),
  [placeOf('alpha-2', '/v')]: session('alpha-2', '/v'),
  [placeOf('beta', undefined)]: base().header({ id: 'beta', cwd: undefined }),
}

/** Paths below the store that a name stands for. */
async function pathsOf(name: string, store: string): Promise<string[]> {
  return (await resolveInputs([name], store)).map(({ path }) => path.replace(`${store}/`, ''))
}

async function json(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, exitCode } = await runMain([...args, '--json'], { env })
  const answer = (stdout === '' ? { reports: [] } : JSON.parse(stdout)) as ReportSet
  const { reports } = answer
  return { answer, reports, stderr, exitCode }
}

/** What newer releases mind of the sample logs has nothing to do with where they lie. */
const codesOf = (report: Report | undefined): string[] =>
  report?.findings.map(({ code }) => code).filter((code) => !code.startsWith('upgrade/')) ?? []

describe('a session id', () => {
  test.each([
    ['alpha-1', placeOf('alpha-1', '/w')],
    ['alpha-2', placeOf('alpha-2', '/v')],
    ['beta', placeOf('beta', undefined)],
    ['b', placeOf('beta', undefined)],
  ])('%s is looked up in the store', async (name, place) => {
    expect(await pathsOf(name, fileTree(PAIR))).toEqual([place])
  })

  test('that begins another one is itself', async () => {
    const store = fileTree({ ...PAIR, [placeOf('alpha', '/w')]: session('alpha') })
    expect(await pathsOf('alpha', store)).toEqual([placeOf('alpha', '/w')])
  })

  test('is compared with what the directory name stands for', async () => {
    const store = fileTree({ [placeOf('a b', '/w')]: session('a b') })
    expect(await pathsOf('a b', store)).toEqual([placeOf('a b', '/w')])
    expect(await pathsOf('a', store)).toEqual([placeOf('a b', '/w')])
  })

  test('of several sessions is a usage error that names them', async () => {
    const failure = await pathsOf('alpha', fileTree(PAIR)).catch((error: unknown) => error)
    expect(failure).toMatchObject({ exitCode: 2, code: 'usage' })
    expect(String(failure)).toMatch(/alpha-1.*alpha-2|alpha-2.*alpha-1/)
  })

  test('in two projects is a usage error', async () => {
    const store = fileTree({
      [placeOf('twin', '/w')]: session('twin'),
      [placeOf('twin', '/v')]: session('twin', '/v'),
    })
    await expect(pathsOf('twin', store)).rejects.toMatchObject({ exitCode: 2 })
  })

  test('of no session is a missing file', async () => {
    const { exitCode, stderr } = await runMain(['check', 'gamma'], { env: { DSH_HOME: tempDir() } })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('gamma')
  })

  test('gives way to a file of that name', async () => {
    const path = tempFile(base().bytes(), 'alpha-1')
    expect(await pathsOf(path, fileTree(PAIR))).toEqual([path])
  })

  test.each([
    ['DSH_HOME', 'sessions'],
    ['HOME', '.dsh/sessions'],
    ['USERPROFILE', '.dsh/sessions'],
  ])('is found below %s', async (variable, folder) => {
    const home = tempDir()
    fileTree(PAIR, join(home, folder))
    const { reports, exitCode } = await json(['check', 'alpha-1'], { [variable]: home })
    expect(exitCode).toBe(0)
    expect(reports[0]?.subject).toMatchObject({ sessionId: 'alpha-1', format: 0, container: 'jsonl' })
  })

  test('is looked for below DSH_HOME alone when that is set', async () => {
    const home = tempDir()
    fileTree(PAIR, join(home, '.dsh', 'sessions'))
    const env = { HOME: home, DSH_HOME: tempDir() }
    expect((await runMain(['check', 'alpha-1'], { env })).exitCode).toBe(3)
  })

  test.each(['surface', 'transcript', 'classify', 'events', 'repair'])('is taken by %s', async (command) => {
    const home = tempDir()
    fileTree(PAIR, join(home, 'sessions'))
    const { reports, exitCode } = await json([command, 'beta'], { DSH_HOME: home })
    expect(exitCode).toBe(0)
    expect(reports[0]?.subject?.sessionId).toBe('beta')
  })
})

describe('a session directory', () => {
  const ID = 'session-00000000-0000-4000-8000-000000000004'
  const generations = {
    [placeOf(ID, '/w')]: session(ID),
    [placeOf(ID, '/w', 'session.v3.jsonl')]: laterBase(3),
    [placeOf(ID, '/w', 'session.v4.jsonl')]: laterBase(4),
    [placeOf(ID, '/w', 'session.v10.jsonl.tmp')]: 'x',
    [placeOf(ID, '/w', 'session.lock')]: '',
  }

  test('is its highest generation, and the older ones are mentioned', async () => {
    const store = fileTree(generations)
    const { reports, exitCode } = await json(['check', join(store, placeOf(ID, '/w', ''))])
    expect(exitCode).toBe(0)
    expect(reports).toHaveLength(1)
    expect(reports[0]?.subject).toMatchObject({ format: 4 })
    const messages = reports[0]?.findings.map(({ code, message }) => [code, message])
    expect(messages).toHaveLength(2)
    for (const [code, message] of messages ?? []) {
      expect(code).toBe('store/older-generation')
      expect(message).toContain('session.v4.jsonl is the current one')
    }
  })

  test('compares numbers, not names', async () => {
    const store = fileTree({
      ...generations,
      [placeOf(ID, '/w', 'session.v10.jsonl')]: log().header({ version: 10, id: ID }),
    })
    expect(await pathsOf(join(store, placeOf(ID, '/w', '')), store)).toEqual([
      placeOf(ID, '/w', 'session.v10.jsonl'),
    ])
  })

  test('of a store is one log', async () => {
    const { reports } = await json(['check', fileTree({ ...generations, ...PAIR })])
    expect(reports).toHaveLength(4)
  })

  test('an older generation can be named all the same', async () => {
    const path = join(fileTree(generations), placeOf(ID, '/w', 'session.v3.jsonl'))
    const { reports } = await json(['check', path])
    expect(reports[0]?.subject?.format).toBe(3)
    expect(codesOf(reports[0])).toEqual([])
  })
})

describe('a store', () => {
  test('tells duplicate ids, both suffixes and the flat layout', async () => {
    const compressed = await written('zstd', await wholeLog(session('other').bytes()))
    const store = fileTree({
      [placeOf('twin', '/w')]: session('twin'),
      [placeOf('twin', '/v')]: session('twin', '/v'),
      [placeOf('other', '/w', 'session.jsonl.zstd')]: readFileSync(compressed),
      '--w--/flat.jsonl': session('flat'),
    })
    const { reports, exitCode } = await json(['check', store])
    expect(exitCode).toBe(1)
    const codes = Object.fromEntries(
      reports.map((report) => [report.subject?.path.replace(`${store}/`, ''), codesOf(report).toSorted()]),
    )
    expect(codes).toEqual({
      [placeOf('twin', '/w')]: ['store/duplicate-id', 'store/mixed-suffixes'],
      [placeOf('twin', '/v')]: ['store/duplicate-id', 'store/mixed-suffixes'],
      [placeOf('other', '/w', 'session.jsonl.zstd')]: ['store/mixed-suffixes'],
      '--w--/flat.jsonl': ['store/flat-layout'],
    })
  })

  test('reports an empty file, a leftover and a misplaced log, and goes on', async () => {
    const store = fileTree({
      [placeOf('empty', '/w')]: '',
      [placeOf('good', '/w')]: session('good'),
      [placeOf('good', '/w', 'session.jsonl.0123456789ab.tmp')]: '{',
      [placeOf('moved', '/w')]: session('moved', '/elsewhere'),
    })
    const { reports, exitCode } = await json(['check', store])
    expect(exitCode).toBe(1)
    expect(reports.map(codesOf)).toEqual([['bytes/empty-file'], ['store/leftover'], ['store/misplaced']])
  })

  test('is left as it was', async () => {
    const store = fileTree({ ...PAIR, [placeOf('empty', '/w')]: '' })
    const before = listing(store)
    for (const command of ['check', 'info', 'ls']) await runMain([command, store])
    await runMain(['ls', store, '--deep'])
    expect(listing(store)).toEqual(before)
  })

  test('may be reached through a link', async () => {
    const store = fileTree(PAIR)
    const link = join(tempDir(), 'link')
    symlinkSync(store, link)
    const { reports, exitCode } = await json(['check', link])
    expect(exitCode).toBe(0)
    expect(reports.map(codesOf)).toEqual([[], [], []])
  })

  test('without a log is an error', async () => {
    expect((await runMain(['check', fileTree({ 'notes.txt': 'x' })])).exitCode).toBe(3)
  })
})

describe('a database', () => {
  async function database(...ids: readonly string[]): Promise<string> {
    const path = join(tempDir(), 'store.db')
    let count = 0
    const sessions = await Promise.all(
      ids.map(async (id) => wholeLog((id === ids[0] ? twoTurns() : base()).header({ id }).bytes())),
    )
    const newId = () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
    await writeDatabase(path, sessions, { schema: 17, newId })
    return path
  }

  test('with one session is that session', async () => {
    const path = await database('one')
    for (const command of ['check', 'surface', 'transcript', 'info']) {
      const { reports, exitCode } = await json([command, path])
      expect(exitCode).toBe(0)
      expect(reports[0]?.subject).toMatchObject({ sessionId: 'one', container: 'sqlite' })
    }
  })

  test.each([
    ['s-1', 's-1'],
    ['s-2', 's-2'],
    ['t', 't-1'],
  ])('#%s is session %s', async (named, id) => {
    const path = await database('s-1', 's-2', 't-1')
    const { reports, exitCode } = await json(['surface', `${path}#${named}`])
    expect(exitCode).toBe(0)
    expect(reports[0]?.subject?.sessionId).toBe(id)
  })

  test.each(['check', 'info'])('with several is all of them for %s', async (command) => {
    const path = await database('a', 'b', 'c')
    const { reports, exitCode } = await json([command, path])
    expect(exitCode).toBe(0)
    expect(reports.map(({ subject }) => subject?.sessionId)).toEqual(['a', 'b', 'c'])
    expect(reports.map(({ subject }) => subject?.path)).toEqual([`${path}#a`, `${path}#b`, `${path}#c`])
  })

  test('with several is a usage error for surface, which names one', async () => {
    const path = await database('a', 'b')
    const { stderr, exitCode } = await json(['surface', path])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${path}#a`)
  })

  test.each(['z', 's'])('#%s, which is no session or several, is an input error', async (named) => {
    const { stderr, exitCode } = await json(['surface', `${await database('s-1', 's-2')}#${named}`])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('s-1')
  })

  test('is found in a folder among logs', async () => {
    const path = await database('a', 'b')
    fileTree({ 'x/session.jsonl': session('x') }, join(path, '..'))
    const { reports } = await json(['check', join(path, '..')])
    expect(reports.map(({ subject }) => subject?.sessionId)).toEqual(['a', 'b', 'x'])
  })

  test('at rest in write-ahead mode is read without a trace', async () => {
    const path = await database('a', 'b')
    const db = new Database(path)
    db.pragma('journal_mode = WAL')
    db.close()
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    const before = listing(join(path, '..'))
    for (const args of [
      ['check', path],
      ['surface', `${path}#a`],
      ['ls', path],
      ['ls', path, '--deep'],
    ])
      expect((await runMain(args)).exitCode).toBe(0)
    expect((await runMain(['repair', `${path}#b`])).exitCode).toBe(0)
    expect(listing(join(path, '..'))).toEqual(before)
  })

  test('with an open write-ahead log is read with it, and without a trace', async () => {
    const path = await database('a')
    const writer = new Database(path)
    writer.pragma('journal_mode = WAL')
    writer.pragma('wal_autocheckpoint = 0')
    writer
      .prepare(
        "INSERT INTO events (session_id, seq, type, time, data) VALUES ('a', 15, 'plan/mode', 1, '{}')",
      )
      .run()
    const before = listing(join(path, '..'))
    const { events } = await readBack(path)
    expect(events).toHaveLength(16)
    expect(listing(join(path, '..'))).toEqual(before)
    writer.close()
  })

  test('without sessions is said', async () => {
    const path = join(tempDir(), 'store.db')
    await writeDatabase(path, [], { schema: 17, newId: () => '00000000-0000-4000-8000-000000000000' })
    expect((await runMain(['check', path])).exitCode).not.toBe(0)
  })
})

describe('a name that does not fit', () => {
  test.each([
    ['plain in .zstd', 'a.jsonl.zstd', base().bytes(), 'jsonl'],
    ['gzip in .zstd', 'a.jsonl.zstd', gzipSync(base().bytes()), 'gzip'],
    ['gzip in .jsonl', 'a.jsonl', gzipSync(base().bytes()), 'gzip'],
  ])('DSH reads by it, %s', async (_name, file, content, container) => {
    const { reports, exitCode } = await json(['check', tempFile(content, file)])
    expect(exitCode).toBe(1)
    expect(reports[0]?.subject?.container).toBe(container)
    expect(codesOf(reports[0])).toEqual(['bytes/container-name'])
  })

  test.each([
    ['plain in .db', 'a.db', base().bytes(), 'jsonl'],
    ['plain in .gz', 'a.jsonl.gz', base().bytes(), 'jsonl'],
  ])('DSH does not read by it, %s', async (_name, file, content, container) => {
    const { reports, exitCode } = await json(['check', tempFile(content, file)])
    expect(exitCode).toBe(0)
    expect(reports[0]?.subject?.container).toBe(container)
    expect(codesOf(reports[0])).toEqual(['bytes/file-name'])
  })

  test.each([
    ['zstd', 'zstd', 1, 'bytes/container-name'],
    ['SQLite 17', 'sqlite', 0, 'bytes/file-name'],
  ] as const)('%s in .jsonl', async (name, container, exits, code) => {
    const path = await written(name, await wholeLog(base().bytes()))
    const { reports, exitCode } = await json(['check', tempFile(readFileSync(path), 'a.jsonl')])
    expect(exitCode).toBe(exits)
    expect(reports[0]?.subject?.container).toBe(container)
    expect(codesOf(reports[0])).toEqual([code])
  })

  test.each(['a', 'a.txt', 'a.log'])('%s promises nothing', async (file) => {
    const { reports } = await json(['check', tempFile(gzipSync(base().bytes()), file)])
    expect(codesOf(reports[0])).toEqual([])
  })

  test('damaged gzip is an input error', async () => {
    const bytes = gzipSync(twoTurns().bytes())
    const { exitCode, stderr } = await runMain(['check', tempFile(bytes.subarray(0, -9), 'a.jsonl.gz')])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('gzip')
  })
})

describe('what was put next to a log', () => {
  const torn = (): LogBuilder => log().turn().torn('{"type":"tur')

  test('is no session of a store', async () => {
    const place = placeOf('alpha', '/w')
    const store = fileTree({ [place]: torn().header({ id: 'alpha', cwd: '/w' }) })
    const env = { RESURFACE_STORE: store }
    const path = join(store, place)
    const [copied, replaced] = [
      await json(['repair', path, '--write']),
      await json(['repair', path, '--in-place']),
    ]
    expect([copied.exitCode, replaced.exitCode]).toEqual([0, 0])
    expect((await runMain(['convert', path, '-o', path.replace('session', 'mine')])).exitCode).toBe(0)
    expect(await pathsOf(store, store)).toEqual([place])
    expect(await pathsOf('alpha', store)).toEqual([place])
    const { reports } = await json(['ls', store], env)
    expect(reports[0]?.data).toMatchObject({ sessions: [{ id: 'alpha' }] })
  })

  test.each(['log.jsonl', 'log.jsonl.zstd', 'log.jsonl.gz', 'log.db', 'log'])(
    'is no log of a folder: the copy of %s',
    async (name) => {
      const copy = name.replace(/(\.gz)?$/, '').replace(/((\.jsonl)?(\.zstd)?|\.db)$/, '.repaired$1')
      const files = { [name]: base(), [copy]: base(), 'other.jsonl': base(), 'alone.repaired.jsonl': base() }
      const folder = fileTree(files)
      expect((await pathsOf(folder, folder)).toSorted()).toEqual(
        ['alone.repaired.jsonl', 'other.jsonl', ...(name === 'log' ? [] : [name])].toSorted(),
      )
      expect(await pathsOf(join(folder, copy), folder)).toEqual([copy])
    },
  )

  test('a copy comes with the command that replaces the log', async () => {
    const path = tempFile(torn().bytes())
    const choices = ['--allow-unknown', '--truncate-after', 'turn:1']
    const { reports } = await json(['repair', path, '--write', ...choices])
    expect(reports[0]?.data).toMatchObject({
      install: `resurface repair ${path} ${choices.join(' ')} --in-place`,
    })
    expect((await json(['repair', path, '--in-place'])).reports[0]?.data).not.toHaveProperty('install')
  })
})

describe('a file of a store that holds no session', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'bytes/empty-file'],
    ['NUL bytes', Buffer.alloc(1000), 'bytes/only-nuls'],
    ['something else', Buffer.from('hello\n'), 'bytes/not-a-log'],
  ])('%s: an error of the store, and the others are checked', async (_name, bytes, code) => {
    const place = placeOf('empty', '/w')
    const store = fileTree({ [placeOf('alpha', '/w')]: session('alpha'), [place]: { bytes: () => bytes } })
    const { reports, exitCode } = await json(['check', store])
    expect(exitCode).toBe(1)
    expect(reports.map((report) => codesOf(report)).toSorted()).toEqual([[], [code]].toSorted())
    expect((await json(['check', store, '--fail-on', 'never'])).exitCode).toBe(0)
    const alone = await json(['check', join(store, place)])
    expect(alone.exitCode).toBe(code === 'bytes/only-nuls' ? 1 : 3)
  })
})
