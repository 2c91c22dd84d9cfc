/** `ls`: every session, whatever its state; sorting, filters, and the keys that scripts read. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ListItem } from '../../src/report/main-list.ts'
import { writeDatabase } from '../../src/storage/sqlite/write-database.ts'
import { wholeLog, written } from '../support/containers.ts'
import { fileTree, placeOf } from '../support/file-tree.ts'
import { laterBase } from '../support/later-log.ts'
import { type LogBuilder, log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { base, rich, twoTurns } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

const START = 1_700_000_000_000

interface Listed {
  readonly sessions: readonly ListItem<'ls'>[]
  readonly asOf: number
  readonly exitCode: number
  readonly stderr: string
}

async function ls(...args: readonly string[]): Promise<Listed> {
  const { stdout, stderr, exitCode } = await runMain(['ls', ...args, '--json'])
  const data = stdout === '' ? { sessions: [] } : reportIn(stdout).data
  return { ...data, stderr, exitCode }
}

const cut = (bytes: Buffer, by: number): Buffer => bytes.subarray(0, bytes.length - by)

/** One session for each state, by what a quick look and a whole reading say. */
const STATES: Readonly<Record<string, readonly [content: Buffer, quick: string, deep: string]>> = {
  good: [base().bytes(), 'closed', 'refused-by-newer'],
  'all-there-is': [rich().bytes(), 'closed', 'refused-by-newer'],
  'header-alone': [log().bytes(), 'closed', 'clean'],
  open: [log().openTurn().bytes(), 'open', 'warnings'],
  torn: [base().torn('{"type":').bytes(), 'torn', 'warnings'],
  'torn-and-open': [cut(base().bytes(), 1), 'torn', 'warnings'],
  'bad-last-line': [base().raw('%%%').bytes(), 'damaged', 'warnings'],
  'bad-line-quietly': [Buffer.from(base().text().replace('"seq":3', '"seq"')), 'closed', 'errors'],
  'lost-events': [base().drop(5).bytes(), 'closed', 'errors'],
  unanswered: [
    log()
      .turn((turn) => turn.step((step) => step.assistant('').call('c', 'x')))
      .bytes(),
    'closed',
    'errors',
  ],
  'no-header': [base().firstLine('{"type":"turn/start"}').bytes(), 'damaged', 'errors'],
  empty: [Buffer.alloc(0), 'empty', 'empty'],
  'other-text': [Buffer.from('hello\nworld\n'), 'not-a-log', 'not-a-log'],
  newer: [log().header({ version: 99 }).event('x/y').bytes(), 'newer', 'unsupported'],
  'unknown-type': [base().event('x/y').bytes(), 'closed', 'unsupported'],
  'format-4': [laterBase().bytes(), 'closed', 'clean'],
  'in-gzip': [gzipSync(base().bytes()), 'damaged', 'errors'],
}

/** Files of their own, so that the place of a log says nothing about it. */
function states(): string {
  return fileTree(
    Object.fromEntries(Object.entries(STATES).map(([name, [content]]) => [`${name}/log.jsonl`, content])),
  )
}

const nameIn = (root: string, { path }: ListItem<'ls'>): string =>
  path.slice(root.length + 1).replace('/log.jsonl', '')

describe('health', () => {
  test.each([
    ['at a glance', [], 1],
    ['after reading', ['--deep'], 2],
  ] as const)('%s', async (_name, options, column) => {
    const root = states()
    const { sessions, exitCode, stderr } = await ls(root, ...options)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const found = Object.fromEntries(sessions.map((session) => [nameIn(root, session), session.health]))
    const wanted = Object.fromEntries(Object.entries(STATES).map(([name, state]) => [name, state[column]]))
    expect(found).toEqual(wanted)
  })

  test.each(['zstd', 'SQLite 14', 'SQLite 17'] as const)('in %s', async (container) => {
    const open = log().openTurn((turn) => turn.user('hi'))
    for (const [built, quick, deep] of [
      [base(), 'closed', 'refused-by-newer'],
      [open, 'open', 'warnings'],
    ] as const) {
      const path = await written(container, await wholeLog(built.bytes()))
      expect((await ls(path)).sessions).toMatchObject([{ health: quick, events: built.nextSeq }])
      expect((await ls(path, '--deep')).sessions).toMatchObject([{ health: deep, events: built.nextSeq }])
    }
  })

  test('of a torn frame', async () => {
    const path = await written('zstd', await wholeLog(base().bytes()))
    const root = fileTree({ 'session.jsonl.zstd': cut(readFileSync(path), 5) })
    expect((await ls(root)).sessions).toMatchObject([{ health: 'torn' }])
  })
})

/** A store with sessions that differ in everything that a list sorts by. */
function sorted(): string {
  const session = (id: string, created: number, build: (built: LogBuilder) => LogBuilder): LogBuilder =>
    build(log().header({ id, createdAt: created, cwd: `/${id}` }))
  return fileTree({
    [placeOf('a', '/a')]: session('a', START + 3, (built) => built.user('x'.repeat(5000))),
    [placeOf('b', '/b')]: session('b', START + 1, (built) => built.turn().turn().turn()),
    [placeOf('c', '/c')]: session('c', START + 2, (built) =>
      built.turn().edit(1, (row) => ({ ...row, time: START + 90 })),
    ),
    [placeOf('d', '/d')]: session('d', START, (built) => built),
  })
}

describe('order', () => {
  test.each([
    ['the newest first by default', [], 'cbad'],
    ['updated', ['--sort', 'updated'], 'cbad'],
    ['created', ['--sort', 'created'], 'acbd'],
    ['size', ['--sort', 'size'], 'abcd'],
    ['events', ['--sort', 'events'], 'bcad'],
    ['turns', ['--sort', 'turns'], 'bcad'],
    ['id', ['--sort', 'id'], 'abcd'],
    ['id, turned round', ['--sort', 'id', '--reverse'], 'dcba'],
    ['updated, turned round', ['--reverse'], 'dabc'],
  ] as const)('by %s', async (_name, options, ids) => {
    const { sessions } = await ls(sorted(), ...options)
    expect(sessions.map(({ id }) => id).join('')).toBe(ids)
  })

  test('by anything else is a usage error', async () => {
    expect((await ls(sorted(), '--sort', 'colour')).exitCode).toBe(2)
  })
})

describe('filters', () => {
  const family = (): string =>
    fileTree({
      [placeOf('p', '/w')]: base().header({ id: 'p' }),
      [placeOf('q', '/w')]: base().header({ id: 'q', parentSession: 'p' }),
      [placeOf('r', '/v')]: log().openTurn().header({ id: 'r', cwd: '/v', parentSession: 'p' }),
      [placeOf('s', undefined)]: base().header({ id: 's', cwd: undefined }),
    })

  test.each([
    [['--cwd', '/w'], 'pq'],
    [['--cwd', '/v'], 'r'],
    [['--parent', 'p'], 'qr'],
    [['--parent', 'p', '--cwd', '/w'], 'q'],
    [['--health', 'closed'], 'pqs'],
    [['--health', 'open'], 'r'],
    [['--health', 'refused-by-newer', '--deep'], 'pqs'],
    [['--health', 'torn'], ''],
  ] as const)('%s', async (options, ids) => {
    const { sessions, exitCode } = await ls(family(), '--sort', 'id', ...options)
    expect(exitCode).toBe(0)
    expect(sessions.map(({ id }) => id).join('')).toBe(ids)
  })
})

test('the keys that scripts read', async () => {
  const built = twoTurns()
    .header({ id: 'p', parentSession: 'o' })
    .event('session/title', { title: 'Lists files', messageSeqs: [1], source: { kind: 'fallback' } })
  const root = fileTree({ [placeOf('p', '/w')]: built })
  const wanted = {
    id: 'p',
    path: join(root, placeOf('p', '/w')),
    container: 'jsonl',
    bytes: built.bytes().length,
    format: 0,
    created: START,
    events: 16,
    turns: 2,
    title: 'Lists files',
    cwd: '/w',
    cwdMissing: true,
    parent: 'o',
    updated: START + 15,
  }
  const quick = await ls(root)
  expect(quick).toMatchObject({ asOf: START, exitCode: 0 })
  expect(quick.sessions).toEqual([{ ...wanted, health: 'closed' }])
  // Its parent is not in the store.
  expect((await ls(root, '--deep')).sessions).toEqual([{ ...wanted, health: 'warnings' }])
})

test('what is not known is not said', async () => {
  const root = fileTree({ 'a/log.jsonl': '', 'b/log.jsonl': 'x\n' })
  const { sessions } = await ls(root, '--sort', 'id')
  for (const session of sessions) {
    expect(Object.keys(session).toSorted()).toEqual(['bytes', 'container', 'health', 'id', 'path', 'updated'])
    expect(session.id).toBe('')
  }
})

test('a quick look at a database lists all of its sessions', async () => {
  const path = join(tempDir(), 'store.db')
  let ids = 0
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
  const sessions = await Promise.all(
    [base().header({ id: 'a' }), twoTurns().header({ id: 'b', cwd: undefined })].map((built) =>
      wholeLog(built.bytes()),
    ),
  )
  await writeDatabase(path, sessions, { schema: 17, newId })
  const listed = await ls(path, '--sort', 'id')
  expect(listed.sessions).toMatchObject([
    { id: 'a', path: `${path}#a`, container: 'sqlite', events: 9, turns: 1, cwd: '/w', health: 'closed' },
    { id: 'b', path: `${path}#b`, events: 15, turns: 2, health: 'closed' },
  ])
})

test('a file that cannot be opened hides none of the others', async () => {
  const bad = gzipSync(base().bytes())
  const root = fileTree({
    'a/log.jsonl.gz': cut(bad, 8),
    'b/log.jsonl': base(),
    'c/log.db': Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(20)]),
    'd/log.jsonl.zstd': Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x18]),
    'e/log.jsonl': twoTurns(),
  })
  const { sessions, exitCode, stderr } = await ls(root)
  expect(exitCode).toBe(3)
  expect(stderr).toContain('gzip')
  const names = sessions.map((session) => session.path.slice(root.length + 1))
  expect(names).toContain('b/log.jsonl')
  expect(names).toContain('e/log.jsonl')
})

test('the store of DSH when none is named', async () => {
  const home = fileTree({ [join('sessions', placeOf('p', '/w'))]: base().header({ id: 'p' }) })
  const { stdout, exitCode } = await runMain(['ls'], { env: { DSH_HOME: home } })
  expect(exitCode).toBe(0)
  expect(stdout).toContain('1 session')
  const nowhere = await runMain(['ls'], { env: { DSH_HOME: tempDir() } })
  expect(nowhere.exitCode).toBe(3)
  expect(nowhere.stderr).toContain('DSH_HOME')
})

test('as text, a line for each', async () => {
  const { stdout, exitCode } = await runMain(['ls', states()])
  expect(exitCode).toBe(0)
  for (const word of ['closed', 'open', 'torn', 'damaged', 'empty', 'newer']) expect(stdout).toContain(word)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`${Object.keys(STATES).length} sessions`)
})

test('in 80 columns a session takes two short lines, which lose nothing', async () => {
  const id = 'session-00000000-0000-4000-8000-000000000001'
  const built = base()
    .header({ id, cwd: '/nowhere/at/all' })
    .event('session/title', { title: 'A title', messageSeqs: [], source: { kind: 'user' } })
  const root = fileTree({ 'log.jsonl': built })
  const { stdout } = await runMain(['ls', root], { terminal: 80, env: { NO_COLOR: '1' } })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.every((line) => line.length <= 80)).toBe(true)
  expect(lines.filter((line) => line.includes(id))).toHaveLength(1)
  expect(lines.join(' ')).toMatch(/A title · \/nowhere\/at\/all \(missing\)/)
})

describe('chosen', () => {
  const DAY = 86_400_000
  const store = (): string => {
    const now = 1_700_000_000_000
    const session = (id: string, age: number, title: string): LogBuilder =>
      log()
        .header({ id, createdAt: now - age, cwd: '/' })
        .event('session/title', { title, messageSeqs: [], source: { kind: 'user' } }, { time: now - age })
    return fileTree({
      [placeOf('new', '/')]: session('new', DAY / 2, 'The Parser'),
      [placeOf('old', '/')]: session('old', 30 * DAY, 'a parser, too'),
      [placeOf('other', '/')]: session('other', 2 * DAY, 'something else'),
    })
  }

  test.each<[options: readonly string[], ids: readonly string[]]>([
    [['--since', '12h'], ['new']],
    [
      ['--since', '7d'],
      ['new', 'other'],
    ],
    [['--since', '2023-11-13'], ['new']],
    [
      ['--since', '2023-01-01T00:00:00Z'],
      ['new', 'other', 'old'],
    ],
    [
      ['--title', 'parser'],
      ['new', 'old'],
    ],
    [['--title', 'PARSER', '--since', '1w'], ['new']],
  ])('by %j', async (options, ids) => {
    const { sessions } = await ls(store(), ...options)
    expect(sessions.map(({ id }) => id)).toEqual(ids)
    expect(sessions.every((session) => !('cwdMissing' in session))).toBe(true)
  })

  test('nothing, which is said', async () => {
    const { sessions, stderr, exitCode } = await ls(store(), '--title', 'nowhere')
    expect([sessions, exitCode]).toEqual([[], 0])
    expect(stderr).toContain('none of 3 sessions')
  })

  test.each(['yesterday', '7', '7x', '2023-13-45'])('a time that is none: %s', async (when) => {
    const { exitCode } = await ls(store(), '--since', when)
    expect(exitCode).toBe(2)
  })
})

test('300 small sessions', async () => {
  const files: Record<string, LogBuilder> = {}
  for (let n = 0; n < 300; n++) {
    const id = `s-${String(n).padStart(3, '0')}`
    files[placeOf(id, `/w${n % 7}`)] = (n % 50 === 0 ? log().openTurn() : base()).header({
      id,
      cwd: `/w${n % 7}`,
    })
  }
  const root = fileTree(files)
  const { sessions } = await ls(root, '--sort', 'id')
  expect(sessions.map(({ id }) => id)).toEqual(
    Array.from({ length: 300 }, (_, n) => `s-${String(n).padStart(3, '0')}`),
  )
  expect(sessions.filter(({ health }) => health === 'open')).toHaveLength(6)
  expect((await ls(root, '--cwd', '/w3')).sessions).toHaveLength(43)
})

test('a large log is looked at from its two ends', async () => {
  const built = log().header({ id: 'large' })
  for (let turn = 0; turn < 40; turn++) built.turn((open) => open.user('x'.repeat(60_000)))
  built.event('session/title', { title: 'large', messageSeqs: [], source: { kind: 'user' } })
  const root = fileTree({ 'log.jsonl': built })
  const [quick] = (await ls(root)).sessions
  const [deep] = (await ls(root, '--deep')).sessions
  expect(quick).toEqual({ ...deep, health: 'closed' })
})

test('an end that is one line too long to look at says nothing about turns and events', async () => {
  const built = log().header({ id: 'large' })
  for (let turn = 0; turn < 20; turn++) built.turn((open) => open.user('x'.repeat(60_000)))
  const root = fileTree({ 'log.jsonl': built.turn((open) => open.user('x'.repeat(400_000))) })
  const path = join(root, 'log.jsonl')
  const text = readFileSync(path, 'utf8')
  const upToMessage = text.lastIndexOf('\n', text.lastIndexOf('"user/message"'))
  writeFileSync(path, `${text.slice(0, text.indexOf('\n', upToMessage + 1))}\n`)
  const [quick] = (await ls(root)).sessions
  expect(quick?.id).toBe('large')
  expect(quick).not.toHaveProperty('events')
  expect(quick).not.toHaveProperty('turns')
})

test('a health that no session can have is a typing error', async () => {
  expect(await ls(tempDir(), '--health', 'borken')).toMatchObject({ exitCode: 2 })
})
