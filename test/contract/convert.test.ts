/** `convert` carries every event over, or refuses and leaves nothing behind. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { stringifyJson } from '../../src/core/json/stringify-json.ts'
import type { ReportData } from '../../src/report/report.ts'
import { containerOf } from '../../src/storage/detect.ts'
import { CONTAINERS, type ContainerName, readBack, wholeLog, written } from '../support/containers.ts'
import { laterBase } from '../support/later-log.ts'
import { log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { base, rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const NAMES = Object.keys(CONTAINERS) as ContainerName[]

const TARGETS: readonly (readonly [file: string, container: string, ...options: string[]])[] = [
  ['to.jsonl', 'jsonl'],
  ['to.jsonl', 'jsonl', '--rows', 'packed'],
  ['to.jsonl', 'jsonl', '--rows', 'unpacked'],
  ['to.jsonl.zstd', 'zstd'],
  ['to.jsonl.zstd', 'zstd', '--rows', 'packed'],
  ['to.zst', 'zstd', '--rows', 'unpacked'],
  ['to.db', 'sqlite', '--database-schema', '14'],
  ['to.sqlite3', 'sqlite'],
]

interface Converted {
  readonly path: string
  readonly exitCode: number
  readonly stderr: string
  readonly data: ReportData<'convert'>
}

async function convert(from: string, file: string, ...options: readonly string[]): Promise<Converted> {
  const path = join(tempDir(), file)
  const args = ['convert', from, '-o', path, '--json', ...options]
  const { stdout, stderr, exitCode } = await runMain(args)
  const data = stdout === '' ? {} : reportIn(stdout).data
  return { path, exitCode, stderr, data }
}

function rowsIn(path: string): string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(1)
}

describe.each(NAMES)('from %s', (name) => {
  test.each(TARGETS)('to %s (%s) %s %s', async (file, container, ...options) => {
    const whole = await wholeLog(rich().bytes())
    const { path, exitCode, data } = await convert(
      await written(name, whole),
      file,
      ...options.filter(Boolean),
    )
    expect(exitCode).toBe(0)
    expect(data).toMatchObject({ output: path, container, events: whole.events.length, lost: [] })
    expect(await containerOf(path)).toBe(container)
    expect(await readBack(path)).toEqual(whole)
  })
})

test('there and back again, the digest stays the same', async () => {
  const digests: string[] = []
  let path = await written('plain', await wholeLog(rich().bytes()))
  for (const file of ['a.zstd', 'b.db', 'c.jsonl', 'd.jsonl.zstd', 'e.sqlite', 'f.jsonl']) {
    const converted = await convert(path, file)
    digests.push(converted.data.digest)
    path = converted.path
  }
  expect(new Set(digests).size).toBe(1)
})

describe('rows', () => {
  const packedIn = (path: string): number =>
    rowsIn(path).filter((line) => line.includes('text-chunks')).length

  test('as they are: the bytes of every line stay', async () => {
    const source = tempFile(Buffer.from(rich().text().replaceAll('"seq":', ' "seq" : ')))
    const { path } = await convert(source, 'to.jsonl')
    expect(readFileSync(path)).toEqual(readFileSync(source))
  })

  test('packed: runs of three become one row', async () => {
    const { path } = await convert(
      await written('plain', await wholeLog(rich().bytes())),
      'to.jsonl',
      '--rows',
      'packed',
    )
    expect(packedIn(path)).toBe(1)
  })

  test('unpacked: one row for each event', async () => {
    const whole = await wholeLog(rich().bytes())
    const { path } = await convert(await written('packed', whole), 'to.jsonl', '--rows', 'unpacked')
    expect(packedIn(path)).toBe(0)
    expect(rowsIn(path)).toHaveLength(whole.events.length)
  })

  test('packed is nothing that later formats have', async () => {
    const { exitCode, path } = await convert(tempFile(laterBase(2).bytes()), 'to.jsonl', '--rows', 'packed')
    expect(exitCode).toBe(4)
    expect(existsSync(path)).toBe(false)
  })
})

test.each(['14', '17'])('--database-schema %s is the one that is written', async (schema) => {
  const { path } = await convert(tempFile(base().bytes()), 'to.db', '--database-schema', schema)
  const db = new Database(path, { readonly: true })
  expect(db.pragma('user_version', { simple: true })).toBe(Number(schema))
  db.close()
})

test('a log of one session of a database', async () => {
  const from = await written('SQLite 17', await wholeLog(base().bytes()))
  const { id } = (await readBack(from)).header
  const { path, exitCode } = await convert(`${from}#${id}`, 'to.jsonl')
  expect(exitCode).toBe(0)
  expect((await readBack(path)).events).toEqual(base().events())
})

test.each(['application_id = 1', 'user_version = 99'])(
  'a database that is not one of DSH (%s) gives what it holds',
  async (pragma) => {
    const from = await written('SQLite 17', await wholeLog(base().bytes()))
    const db = new Database(from)
    db.pragma(pragma)
    db.close()
    for (const file of ['to.jsonl', 'to.db']) {
      const { path, exitCode } = await convert(from, file)
      expect(exitCode).toBe(0)
      expect((await readBack(path)).events).toEqual(base().events())
    }
  },
)

test.each([2, 3, 4] as const)('format %i goes from text to text', async (version) => {
  const source = tempFile(laterBase(version).bytes())
  for (const file of ['to.jsonl', 'to.jsonl.zstd']) {
    const { path, exitCode } = await convert(source, file, '--rows', 'unpacked')
    expect(exitCode).toBe(0)
    expect(await readBack(path)).toEqual(await wholeLog(laterBase(version).bytes()))
  }
})

test('findings about the meaning do not stand in the way', async () => {
  const broken = log().turn((turn) => turn.step((step) => step.assistant('').call('c', 'x')))
  const { exitCode, path } = await convert(tempFile(broken.bytes()), 'to.zstd')
  expect(exitCode).toBe(0)
  expect((await readBack(path)).events).toEqual(broken.events())
})

test('what a database has no column for is named', async () => {
  const source = tempFile(base().header({ colour: 'red' }).bytes())
  expect((await convert(source, 'to.db')).data.lost).toEqual(['header field colour'])
  expect((await convert(source, 'to.zstd')).data.lost).toEqual([])
})

describe('refused, with nothing left behind', () => {
  const cut = (bytes: Buffer): Buffer => bytes.subarray(0, -3)
  const changing = (number: string): Buffer =>
    Buffer.from(base().event('plan/mode', { n: 'N' }).text().replace('"N"', number))
  const CASES: readonly [name: string, content: Buffer, exitCode: number, file?: string][] = [
    ['a torn tail', base().torn('{"type":').bytes(), 5],
    ['a last record without its line feed', base().bytes().subarray(0, -1), 5],
    ['a damaged line', Buffer.from(base().text().replace('"seq":3', '"seq"')), 5],
    ['a damaged last line', base().raw('%%%').bytes(), 5],
    ['events after a break', base().jumpTo(20).user('x').bytes(), 5],
    ['a gap', base().drop(5).bytes(), 5],
    ['seqs that come twice', base().jumpTo(4).turn().bytes(), 5],
    ['an envelope with a member of its own', base().event('plan/mode', {}, { more: 1 }).bytes(), 5],
    ['a broken header', base().header({ createdAt: 'now' }).bytes(), 5],
    ['a later format into a database', laterBase().bytes(), 4, 'to.db'],
    ['format 2 into a database', laterBase(2).bytes(), 4, 'to.db'],
    ['an event that schema 14 cannot say', base().event('x/y', {}, { ignorable: true }).bytes(), 5, 'to.db'],
    ['a number that changes when it is read, into a database', changing('9007199254740993'), 5, 'to.db'],
    ['a name that says nothing', base().bytes(), 2, 'to.txt'],
    ['gzip, which is only read', base().bytes(), 2, 'to.jsonl.gz'],
  ]

  test.each(CASES)('%s', async (...[_name, content, exitCode, file = 'to.jsonl']) => {
    const folder = tempDir()
    const source = tempFile(content)
    const more = file === 'to.db' ? ['--database-schema', '14'] : []
    const result = await runMain(['convert', source, '-o', join(folder, file), ...more])
    expect(result).toMatchObject({ exitCode, stdout: '' })
    expect(result.stderr).toMatch(/^resurface: /)
    expect(readdirSync(folder)).toEqual([])
    expect(readFileSync(source)).toEqual(content)
  })

  test.each(['zstd', 'zstd, packed'] as const)('a torn frame (%s)', async (name) => {
    const path = await written(name, await wholeLog(rich().bytes()))
    writeFileSync(path, cut(readFileSync(path)))
    expect((await convert(path, 'to.jsonl')).exitCode).toBe(5)
  })

  test('a torn database', async () => {
    const path = await written('SQLite 17', await wholeLog(base().bytes()))
    const db = new Database(path)
    db.prepare(
      "INSERT INTO events SELECT session_id, 9, type, time, '{', NULL, NULL, NULL FROM events WHERE seq = 0",
    ).run()
    db.close()
    expect((await convert(path, 'to.jsonl')).exitCode).toBe(5)
  })

  test('a format that is newer than any known, into a database', async () => {
    const source = tempFile(log().header({ version: 99 }).event('x/y').bytes())
    const { exitCode, path } = await convert(source, 'to.db')
    expect(exitCode).toBe(4)
    expect(existsSync(path)).toBe(false)
  })

  test.each(TARGETS.map(([file]) => file))('a file that exists: %s', async (file) => {
    const target = tempFile('mine', file)
    const result = await runMain(['convert', tempFile(base().bytes()), '-o', target])
    expect(result.exitCode).toBe(2)
    expect(readFileSync(target, 'utf8')).toBe('mine')
  })

  test('the log itself as the target', async () => {
    const source = tempFile(base().bytes())
    expect((await runMain(['convert', source, '-o', source])).exitCode).toBe(2)
    expect(readFileSync(source)).toEqual(base().bytes())
  })

  test('a member that comes twice, written anew', async () => {
    const source = tempFile(base().event('plan/mode', { n: 'N' }).text().replace('"N"', '1,"n":2'))
    for (const [file, , ...options] of TARGETS) {
      const isCopied = !options.includes('--rows') && !file.includes('.db') && !file.includes('.sqlite3')
      expect((await convert(source, file, ...options)).exitCode).toBe(isCopied ? 0 : 5)
    }
  })

  test.each(['-wal', '-shm', '-journal'])(
    'what SQLite would take for the %s of the source',
    async (suffix) => {
      const source = await written('SQLite 17', await wholeLog(base().bytes()))
      const target = source + suffix
      for (const args of [['convert', '--to', 'jsonl'], ['check'], ['repair']]) {
        expect(await runMain([...args, source, '-o', target])).toMatchObject({ exitCode: 2, stdout: '' })
      }
      expect(existsSync(target)).toBe(false)
    },
  )

  test('no target', async () => {
    expect((await runMain(['convert', tempFile(base().bytes())])).exitCode).toBe(2)
  })

  test('a folder that is not there', async () => {
    const target = join(tempDir(), 'nowhere', 'to.jsonl')
    expect((await runMain(['convert', tempFile(base().bytes()), '-o', target])).exitCode).toBe(3)
  })
})

test('minus zero survives where lines are copied', async () => {
  const text = base().event('plan/mode', { n: 'VALUE' }).text().replace('"VALUE"', '-0')
  const { path, exitCode } = await convert(tempFile(text), 'to.zstd')
  expect(exitCode).toBe(0)
  expect((await readBack(path)).events.at(-1)?.data).toEqual({ n: -0 })
})

test('a lone surrogate survives everywhere', async () => {
  const source = tempFile(base().event('plan/mode', { n: 'X' }).text().replace('"X"', '"\\ud83d"'))
  for (const [file, , ...options] of TARGETS) {
    const { path } = await convert(source, file, ...options)
    expect((await readBack(path)).events.at(-1)?.data).toEqual({ n: '\ud83d' })
  }
})

test('an event that is nested deeper than a call stack survives everywhere', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const source = tempFile(base().event('plan/mode', { n: 'X' }).text().replace('"X"', deep))
  for (const [file, , ...options] of TARGETS) {
    const { path, exitCode } = await convert(source, file, ...options)
    expect(exitCode).toBe(0)
    expect(stringifyJson((await readBack(path)).events.at(-1)?.data)).toBe(`{"n":${deep}}`)
  }
})
