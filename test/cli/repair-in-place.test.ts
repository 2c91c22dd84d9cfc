/** `repair --in-place` and `undo`: the log becomes the repaired one, what it was stays, and the way back is exact. */
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { readBack, wholeLog, written } from '../support/containers.ts'
import { listing } from '../support/listing.ts'
import { runMain } from '../support/run-main.ts'
import { repair, undo } from '../support/run-repair.ts'
import { base, crashed, rich, torn } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'
import { clashing } from '../support/two-writers.ts'

describe.each([
  ['plain', torn, 'log.jsonl'],
  ['plain, with a name of its own', torn, "it's “my” log #1; $(rm) %00 🚀\n.jsonl"],
  ['plain, with a leading dash', torn, '-o.jsonl'],
  ['plain, with the longest name', torn, `${'long '.repeat(49)}.jsonl1`.slice(0, 250)],
  ['plain, with the longest name in other letters', torn, `${'é'.repeat(122)}.jsonl`],
])('%s', (_what, content, name) => {
  test('is replaced by what a copy would be, and brought back', async () => {
    const before = content()
    const path = tempFile(before, name)
    const folder = dirname(path)
    chmodSync(path, 0o640)
    const copy = join(tempDir(), 'copy.jsonl')
    await repair(path, '-o', copy)
    const { exitCode, stderr, data } = await repair(path, '--in-place')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(readFileSync(path)).toEqual(readFileSync(copy))
    expect(data.output).toBe(path)
    const backup = data.backup as string
    const quarantine = data.quarantine as string
    expect(readFileSync(backup)).toEqual(before)
    expect(readFileSync(quarantine, 'utf8')).toContain('tool/re')
    expect([path, backup, quarantine].map((file) => dirname(file))).toEqual([folder, folder, folder])
    expect(readdirSync(folder).toSorted()).toEqual(
      [path, backup, quarantine].map((file) => basename(file)).toSorted(),
    )
    expect([path, backup].map((file) => statSync(file).mode & 0o7777)).toEqual([0o640, 0o640])

    const again = listing(folder)
    const second = await repair(path, '--in-place')
    expect(second).toMatchObject({ exitCode: 0, data: { steps: [] } })
    expect(second.data.output).toBeUndefined()
    expect(listing(folder)).toEqual(again)

    expect(await undo(path)).toMatchObject({ exitCode: 0, data: { log: path, backup } })
    expect(readFileSync(path)).toEqual(before)
    expect(statSync(path).mode & 0o7777).toBe(0o640)
  })
})

test('a session of a store is found by its id, and lies under its own lock file', async () => {
  const home = tempDir()
  const folder = join(home, 'sessions', '--w--', 'session-00000000-0000-4000-8000-000000000001')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'session.jsonl'), torn())
  writeFileSync(join(folder, 'session.lock'), '')
  const env = { DSH_HOME: home }
  const { exitCode } = await runMain(['repair', 'session-00000000', '--in-place'], { env })
  expect(exitCode).toBe(0)
  expect((await runMain(['undo', 'session-00000000'], { env })).exitCode).toBe(0)
  expect(readFileSync(join(folder, 'session.jsonl'))).toEqual(torn())
})

test('a healthy log is not touched', async () => {
  const path = tempFile(rich().bytes())
  const before = listing(dirname(path))
  expect((await repair(path, '--in-place')).exitCode).toBe(0)
  expect(listing(dirname(path))).toEqual(before)
})

test('a link stays a link, and what it leads to is replaced, with everything else next to that', async () => {
  const path = tempFile(torn())
  const folder = tempDir()
  const link = join(folder, 'link.jsonl')
  symlinkSync(path, link)
  const { exitCode, data } = await repair(link, '--in-place')
  expect(exitCode).toBe(0)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readdirSync(folder)).toEqual(['link.jsonl'])
  expect(dirname(data.backup as string)).toBe(dirname(path))
  expect(readFileSync(path)).not.toEqual(torn())
  expect((await undo(link)).exitCode).toBe(0)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readFileSync(path)).toEqual(torn())
})

test('two repairs in a row are undone one after the other', async () => {
  const path = tempFile(torn())
  await repair(path, '--in-place')
  const first = readFileSync(path)
  const cut = await repair(path, '--truncate-after', 'turn:1', '--in-place')
  expect(cut).toMatchObject({ exitCode: 0 })
  expect((await undo(path)).exitCode).toBe(0)
  expect(readFileSync(path)).toEqual(first)
  expect((await undo(path)).exitCode).toBe(0)
  expect(readFileSync(path)).toEqual(torn())
  const third = await undo(path)
  expect(third.exitCode).toBe(5)
  expect(third.stderr).toContain('it is already as it was before its repair')
})

test('of two logs that a repair made the same, the last one comes back', async () => {
  const path = tempFile(torn())
  const other = crashed().torn('{"ty').bytes()
  for (const content of [torn(), other, torn()]) {
    writeFileSync(path, content)
    await repair(path, '--in-place')
    expect((await undo(path)).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(content)
  }
})

test('the branches of two writers go next to the log, and every one opens', async () => {
  const path = tempFile(clashing())
  const { exitCode, data } = await repair(path, '--in-place')
  expect(exitCode).toBe(0)
  const [branch] = data.branches as readonly string[]
  expect(basename(branch as string)).toMatch(/^log\.jsonl\.[0-9a-f]{16}\.branch-1$/)
  expect((await runMain(['check', branch as string])).exitCode).toBe(0)
  expect((await undo(path)).exitCode).toBe(0)
  const kept = await repair(path, '--branch', 'first', '--in-place')
  expect(kept).toMatchObject({ exitCode: 0, data: { branches: data.branches } })
  expect((await runMain(['check', branch as string])).exitCode).toBe(0)
})

describe('refused, and nothing is written', () => {
  async function refused(args: readonly string[], folder: string, said: string): Promise<void> {
    const before = listing(folder)
    const { stdout, stderr, exitCode } = await runMain(args)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 })
    expect(stderr).toContain(said)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(listing(folder)).toEqual(before)
  }

  test('a log with two names', async () => {
    const path = tempFile(torn())
    linkSync(path, join(dirname(path), 'other.jsonl'))
    await refused(['repair', path, '--in-place'], dirname(path), '2 names (hard links)')
  })

  test('a log packed by gzip', async () => {
    const path = tempFile(gzipSync(torn()), 'log.jsonl.gz')
    await refused(['repair', path, '--in-place'], dirname(path), 'cannot be replaced in place')
  })

  test('standard input', async () => {
    const { stderr, exitCode } = await runMain(['repair', '-', '--in-place'], { input: torn() })
    expect(exitCode).toBe(5)
    expect(stderr).toContain('cannot be replaced in place')
  })

  test('a log that is read as something else', async () => {
    const [header, ...rows] = base().events()
    const lines = [
      base().lines()[0],
      ...[header, ...rows.slice(0, 3)].map((row) => {
        const { seq: _seq, time: _time, ...rest } = row as unknown as Record<string, unknown>
        return JSON.stringify(rest)
      }),
    ]
    const path = tempFile(lines.map((line) => `${line}\n`).join(''))
    await refused(
      ['repair', path, '--dialect', 'snapshot', '--in-place'],
      dirname(path),
      'cannot be replaced in place',
    )
  })

  test('undo without a backup', async () => {
    const path = tempFile(torn())
    await refused(['undo', path], dirname(path), 'there is no backup of it')
  })

  test('undo of a log that has moved on', async () => {
    const path = tempFile(torn())
    await repair(path, '--in-place')
    appendFileSync(path, '\n')
    await refused(['undo', path], dirname(path), 'it has changed since it was repaired')
  })

  test('undo of a log that has moved on after two repairs says which backup is the newest', async () => {
    const path = tempFile(torn())
    const first = await repair(path, '--in-place')
    const second = await repair(path, '--truncate-after', 'turn:1', '--in-place')
    appendFileSync(path, '\n')
    const said = `before its last repair is in ${second.data.backup}; before earlier ones, newest first: ${first.data.backup}\n`
    await refused(['undo', path], dirname(path), said)
  })

  test('undo with a backup that was altered', async () => {
    const path = tempFile(torn())
    const { data } = await repair(path, '--in-place')
    appendFileSync(data.backup as string, 'x')
    await refused(['undo', path], dirname(path), 'is not what it was when it was made')
  })

  test('undo with a backup of another log', async () => {
    const path = tempFile(torn())
    const { data } = await repair(path, '--in-place')
    const backup = data.backup as string
    renameSync(backup, backup.replace('log.jsonl', 'other.jsonl'))
    writeFileSync(path.replace('log.jsonl', 'other.jsonl'), readFileSync(path))
    await refused(['undo', path], dirname(path), 'there is no backup of it')
  })

  test('undo of a log that got a second name', async () => {
    const path = tempFile(torn())
    await repair(path, '--in-place')
    linkSync(path, join(dirname(path), 'other.jsonl'))
    await refused(['undo', path], dirname(path), '2 names (hard links)')
  })
})

test.each([
  ['-o and --in-place', ['LOG', '-o', 'copy.jsonl', '--in-place']],
  ['--write and --in-place', ['LOG', '--write', '--in-place']],
  ['-o and --write', ['LOG', '-o', 'copy.jsonl', '--write']],
  ['no log', []],
  ['standard input has nothing next to it', ['-', '--write']],
  ['undo takes no standard input', ['undo']],
])('usage: %s', async (_what, args) => {
  const path = tempFile(torn())
  const before = listing(dirname(path))
  const line =
    args[0] === 'undo' ? ['undo', '-'] : ['repair', ...args.map((arg) => (arg === 'LOG' ? path : arg))]
  expect((await runMain(line, { input: torn() })).exitCode).toBe(2)
  expect(listing(dirname(path))).toEqual(before)
})

test('where nothing is to undo, several logs say whether they were repaired', async () => {
  const folder = tempDir()
  const [one, other] = ['one.jsonl', 'other.jsonl'].map((name) => join(folder, name)) as [string, string]
  writeFileSync(one, torn())
  writeFileSync(other, torn())
  expect((await undo(folder)).stderr).toContain('nothing to undo: none of 2 logs has a backup of a repair')
  await repair(one, '--in-place')
  await undo(one)
  expect(await undo(folder)).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining(
      'of 2 logs, 1 was repaired and is already as before, and 1 has no backup',
    ),
  })
  expect((await undo(one, one)).stderr).toContain('it is already as it was before its repair')
})

describe('--write', () => {
  test.each([
    ['session.jsonl', 'session.repaired.jsonl'],
    ['session.v4.jsonl', 'session.v4.repaired.jsonl'],
    ['.hidden', '.hidden.repaired'],
    ['log', 'log.repaired'],
    ['a.b.log', 'a.b.log.repaired'],
    [`${'x'.repeat(249)}.jsonl`, /^x{200,}~[0-9a-f]{8}\.repaired\.jsonl$/],
  ])('%s is written next to the log', async (name, wanted) => {
    const path = tempFile(torn(), name)
    const { exitCode, data } = await repair(path, '--write')
    expect(exitCode).toBe(0)
    const output = data.output as string
    expect(dirname(output)).toBe(dirname(path))
    expect(basename(output)).toMatch(
      typeof wanted === 'string' ? new RegExp(`^${wanted.replaceAll('.', '\\.')}$`) : wanted,
    )
    expect(readFileSync(path)).toEqual(torn())
    expect(readFileSync(data.quarantine as string, 'utf8')).toContain('tool/re')
    expect((await repair(output)).data.steps).toEqual([])
    expect((await repair(path, '--write')).exitCode).toBe(2)
  })

  test('a log packed by gzip is written unpacked', async () => {
    const path = tempFile(gzipSync(torn()), 'session.jsonl.gz')
    const { exitCode, data } = await repair(path, '--write')
    expect({ exitCode, output: data.output }).toEqual({
      exitCode: 0,
      output: join(dirname(path), 'session.repaired.jsonl'),
    })
    expect((await repair(data.output as string)).data.steps).toEqual([])
  })

  test('of a healthy log there is nothing to write', async () => {
    const path = tempFile(base().bytes(), 'session.jsonl')
    const { exitCode, data } = await repair(path, '--write')
    expect(exitCode).toBe(0)
    expect(data.output).toBeUndefined()
    expect(readdirSync(dirname(path))).toEqual(['session.jsonl'])
  })
})

describe('zstd', () => {
  test('is replaced and brought back', async () => {
    const path = await written('zstd', await wholeLog(crashed().bytes()))
    const before = readFileSync(path)
    const { exitCode, data } = await repair(path, '--in-place')
    expect(exitCode).toBe(0)
    expect(readFileSync(path).subarray(0, before.length)).toEqual(before)
    expect(data.quarantine).toBeUndefined()
    expect((await undo(path)).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(before)
  })
})

test('a log that was renamed since finds its backup, and a copy of it does not', async () => {
  const path = tempFile(torn(), 'log.jsonl')
  const before = readFileSync(path)
  expect((await repair(path, '--in-place')).exitCode).toBe(0)
  const copy = join(dirname(path), 'copy.jsonl')
  writeFileSync(copy, readFileSync(path))
  expect((await undo(copy)).exitCode).toBe(5)
  rmSync(path)
  expect((await undo(dirname(path))).exitCode).toBe(0)
  expect(readFileSync(copy)).toEqual(before)
})

describe.each(['SQLite 14', 'SQLite 17'] as const)('%s', (schema) => {
  async function twoSessions(): Promise<{ path: string; id: string }> {
    const path = await written(schema, await wholeLog(crashed().bytes()))
    const db = new Database(path)
    const { id } = db.prepare('SELECT id FROM sessions').get() as { id: string }
    db.exec(
      `INSERT INTO sessions (id, version, created_at, incarnation, revision) VALUES ('z', 0, 1, '00000000-0000-4000-8000-000000000009', 4)`,
    )
    db.prepare(
      `INSERT INTO events (session_id, seq, type, time, data) VALUES ('z', 0, 'turn/start', 1, '{"turn":1}')`,
    ).run()
    db.close()
    return { path, id }
  }

  test.each([
    ['the database', (path: string) => [path]],
    ['each of them', (path: string, id: string) => [`${path}#${id}`, `${path}#z`]],
  ])('every session is repaired where %s is named, with one backup', async (_what, names) => {
    const { path, id } = await twoSessions()
    const before = readFileSync(path)
    const { exitCode, stdout } = await runMain(['repair', ...names(path, id), '--in-place', '--json'])
    const { reports } = JSON.parse(stdout) as { reports: { data: ReportData<'repair'> }[] }
    expect(exitCode).toBe(0)
    expect(reports.map(({ data }) => data.steps.map(({ kind }) => kind))).toEqual([
      ['close-turn'],
      ['close-turn'],
    ])
    expect(new Set(reports.map(({ data }) => data.backup)).size).toBe(1)
    expect(readdirSync(dirname(path))).toHaveLength(2)
    const checked = await runMain(['check', path, '--json'])
    expect(checked.exitCode).toBe(0)
    expect((await undo(path)).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(before)
  })

  test('with a copy, too', async () => {
    const { path } = await twoSessions()
    const output = join(tempDir(), 'copy.db')
    expect((await runMain(['repair', path, '-o', output])).exitCode).toBe(0)
    const { exitCode, stdout } = await runMain(['check', output, '--json'])
    expect([exitCode, JSON.parse(stdout).reports.length]).toEqual([0, 2])
  })

  test('a damaged database is written anew with all its sessions, and not with one', async () => {
    const { path } = await twoSessions()
    const damaged = readFileSync(path)
    damaged[1] = 0
    writeFileSync(path, damaged)
    const alone = await runMain(['repair', `${path}#z`, '--in-place'])
    expect(alone.exitCode).toBe(5)
    expect(alone.stderr).toContain('would lose another session')
    expect((await runMain(['repair', path, '--in-place'])).exitCode).toBe(0)
    const { exitCode, stdout } = await runMain(['check', path, '--json'])
    expect([exitCode, JSON.parse(stdout).reports.length]).toEqual([0, 2])
    expect((await undo(path)).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(damaged)
  })

  test('one session is repaired, the others stay, and all come back', async () => {
    const { path, id } = await twoSessions()
    const before = readFileSync(path)
    const { exitCode, data } = await repair(`${path}#${id}`, '--in-place')
    expect(exitCode).toBe(0)
    expect(readFileSync(data.backup as string)).toEqual(before)
    expect(readdirSync(dirname(path)).toSorted()).toEqual(
      [basename(path), basename(data.backup as string)].toSorted(),
    )
    const db = new Database(path, { readonly: true })
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.prepare("SELECT seq, type FROM events WHERE session_id = 'z'").raw().all()).toEqual([
      [0, 'turn/start'],
    ])
    expect(db.prepare('SELECT count(*) FROM events').pluck().get()).toBe(1 + 14 + data.closers.length)
    db.close()
    expect((await repair(`${path}#${id}`, '--in-place')).data.steps).toEqual([])
    expect((await undo(path)).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(before)
  })

  test('undo takes back no repair of another session than the one that is named', async () => {
    const { path, id } = await twoSessions()
    const before = readFileSync(path)
    const first = await runMain(['repair', `${path}#${id}`, '--in-place'])
    expect(first.stdout).toContain(`resurface undo ${path}\n`)
    const between = readFileSync(path)
    await repair(`${path}#z`, '--in-place')
    const after = listing(dirname(path))
    for (const names of [[`${path}#${id}`], [path, `${path}#z`]]) {
      const { exitCode, stderr } = await runMain(['undo', ...names])
      expect(exitCode).toBe(2)
      expect(stderr).toContain('names one session')
      expect(stderr).toContain(`resurface undo ${path}\n`)
      expect(listing(dirname(path))).toEqual(after)
    }
    expect((await undo(path)).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(between)
    expect((await undo(path)).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(before)
  })

  test('the journal mode stays what it was', async () => {
    for (const mode of ['wal', 'delete']) {
      const path = await written(schema, await wholeLog(crashed().bytes()))
      const db = new Database(path)
      db.pragma(`journal_mode = ${mode}`)
      db.close()
      expect((await repair(path, '--in-place')).exitCode).toBe(0)
      expect([...readFileSync(path).subarray(18, 20)]).toEqual(mode === 'wal' ? [2, 2] : [1, 1])
      expect((await readBack(path)).events.length).toBeGreaterThan(14)
    }
  })

  test.each(['-wal', '-journal'])('changes in a resting %s are not put over another file', async (part) => {
    const path = await written(schema, await wholeLog(crashed().bytes()))
    if (part === '-wal') leaveWal(path)
    else writeFileSync(`${path}${part}`, 'a journal that was begun and never used')
    const before = listing(dirname(path))
    const { exitCode, stderr } = await repair(path, '--in-place')
    expect(exitCode).toBe(5)
    expect(stderr).toContain(`log.db${part} holds changes that are not in the database yet`)
    expect(stderr).toContain('-o FILE')
    expect(listing(dirname(path))).toEqual(before)
    expect((await repair(path, '-o', join(tempDir(), 'copy.db'))).exitCode).toBe(0)
  })

  test('undo is refused once DSH went on in the write-ahead log', async () => {
    const path = await written(schema, await wholeLog(crashed().bytes()))
    await repair(path, '--in-place')
    leaveWal(path)
    const before = listing(dirname(path))
    expect(await undo(path)).toMatchObject({ exitCode: 5 })
    expect(listing(dirname(path))).toEqual(before)
  })
})

/** What a writer leaves that was killed: a write-ahead log with a change that the database does not hold. */
function leaveWal(path: string): void {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('wal_autocheckpoint = 0')
  db.prepare('UPDATE sessions SET revision = revision + 1').run()
  const held = ['', '-wal'].map((part) => readFileSync(`${path}${part}`))
  db.close()
  rmSync(`${path}-wal`, { force: true })
  for (const [index, part] of ['', '-wal'].entries()) writeFileSync(`${path}${part}`, held[index] as Buffer)
}

test('a name that is wrong stays wrong, and the plan says so; a copy has a name of its own', async () => {
  const id = JSON.parse(base().text().split('\n')[0] as string).id as string
  const folder = join(tempDir(), 'sessions', '--w--', id)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'session.v3.jsonl')
  writeFileSync(path, torn())
  const { exitCode, data } = await repair(path)
  expect(exitCode).toBe(1)
  expect(data.remaining).toEqual([{ code: 'store/generation-mismatch', count: 1 }])
  expect(data.commands).toEqual([`mv -n ${path} ${join(folder, 'session.jsonl')}`])
  const copy = await repair(path, '-o', join(tempDir(), 'copy.jsonl'))
  expect([copy.exitCode, copy.data.remaining]).toEqual([0, undefined])
  const plan = join(tempDir(), 'plan.json')
  await repair(path, '--plan', plan)
  const applied = await repair(path, '--apply', plan, '-o', join(tempDir(), 'applied.jsonl'))
  expect([applied.exitCode, applied.data.remaining]).toEqual([0, undefined])
})
