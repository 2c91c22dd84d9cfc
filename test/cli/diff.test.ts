/** `diff`: what it calls a difference at each level, what it never does, and how it is called. */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { command } from '../../src/commands/diff.ts'
import type { ReadingProgress } from '../../src/load/inputs/watched-source.ts'
import { CONTAINERS, type ContainerName, wholeLog, written } from '../support/containers.ts'
import { commandContext } from '../support/context.ts'
import { framed } from '../support/frames-of-lines.ts'
import { type LogBuilder, log } from '../support/log-builder.ts'
import { diff } from '../support/run-diff.ts'
import { runMain } from '../support/run-main.ts'
import { base, crashed, rich, torn, twoTurns } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const COMPACTED = join(import.meta.dirname, '../../examples/compacted.jsonl')

function file(built: LogBuilder): string {
  return tempFile(built.bytes())
}

function said(text: string): (row: Record<string, unknown>) => undefined {
  return (row) => {
    ;(row.data as { content: { text: string }[] }).content[0] = { type: 'text', text } as never
  }
}

/** {@link base} with another event in front of everything, and all seqs and references moved. */
function insertedInFront(): Buffer {
  const [header, ...rows] = base().lines()
  const moved = rows.map((line) => {
    const row = JSON.parse(line.toString())
    const sources = row.sourceEventSeqs?.map((seq: number) => seq + 1)
    return JSON.stringify({ ...row, seq: row.seq + 1, ...(sources && { sourceEventSeqs: sources }) })
  })
  const first = JSON.stringify({ type: 'todo/write', seq: 0, time: 1, data: {} })
  return Buffer.from(`${[header, first, ...moved].join('\n')}\n`)
}

describe('no difference', () => {
  test('is one line and exit code 0', async () => {
    const [a, b] = [file(rich()), file(rich())]
    expect(await runMain(['diff', a, b])).toEqual({
      exitCode: 0,
      stdout: `${a} and ${b}: no difference in bytes, log, surface\n`,
      stderr: '',
    })
  })

  test.each([
    ['a damaged log', twoTurns().drop(5).bytes()],
    ['a torn log', torn()],
    ['a log of a newer format', log().header({ version: 99 }).turn().bytes()],
    ['a line over the limit', base().bytes()],
  ])('%s is the same as its copy: the bytes are', async (_name, bytes) => {
    const run = await diff(tempFile(bytes), tempFile(bytes), '--max-record', '200')
    expect(run).toMatchObject({ exitCode: 0, stderr: '', data: { outcome: 'same', changes: [] } })
  })

  const names = Object.keys(CONTAINERS) as ContainerName[]
  test.each(names)('in what is said, when the same log is stored as %s', async (name) => {
    const whole = await wholeLog(rich().bytes())
    const [a, b] = [file(rich()), await written(name, whole)]
    const said = await diff(a, b, '--level', 'log,surface')
    expect(said).toMatchObject({ exitCode: 0, data: { outcome: 'same', changes: [] } })
    expect(said.data.a.digest).toBe(said.data.b.digest)
    expect((await diff(b, b)).data.outcome).toBe('same')
  })

  test.each(names.filter((name) => name !== 'plain'))('but in how it is stored as %s', async (name) => {
    const b = await written(name, await wholeLog(rich().bytes()))
    const { exitCode, data } = await diff(await written('plain', await wholeLog(rich().bytes())), b)
    expect(exitCode).toBe(1)
    expect(data.summary).toMatchObject({
      bytes: { same: false },
      log: { same: true },
      surface: { same: true },
    })
  })

  test('two databases that hold the same rows', async () => {
    const whole = await wholeLog(rich().bytes())
    const run = await diff(
      await written('SQLite 17', whole),
      await written('SQLite 17', whole),
      '--level',
      'bytes',
    )
    expect(run).toMatchObject({ exitCode: 0, data: { outcome: 'same', changes: [] } })
  })
})

describe('bytes', () => {
  test('records that one of two has, with their places', async () => {
    const [before, after] = [base(), base().event('acme/x')]
    const { data } = await diff(file(before), file(after), '--level', 'bytes')
    const byteOffset = before.bytes().length
    const place = { line: 11, byteOffset, byteLength: after.bytes().length - 1 - byteOffset }
    expect(data.summary.bytes).toEqual({ same: false, counts: { same: 10, added: 1, removed: 0 } })
    expect(data.changes).toEqual([{ level: 'bytes', change: 'added', count: 1, b: place }])
  })

  test('the same records in other frames are stored otherwise', async () => {
    const stored = async (size: number): Promise<string> =>
      tempFile(await framed(base().lines(), size), 'log.jsonl.zstd')
    const [a, b] = [await stored(3), await stored(4)]
    const { exitCode, data } = await diff(a, b)
    expect(exitCode).toBe(1)
    expect(data.summary.bytes).toEqual({ same: false, counts: { same: 10, added: 0, removed: 0 } })
    expect((await runMain(['diff', a, b])).stdout).toContain(
      'bytes: stored otherwise (zstd and zstd); 10 records the same',
    )
  })

  test('a last line with its line feed is not the same without', async () => {
    const whole = base().bytes()
    const { data } = await diff(tempFile(whole), tempFile(whole.subarray(0, -1)), '--level', 'bytes')
    expect(data.summary.bytes?.counts).toEqual({ same: 9, added: 1, removed: 1 })
  })
})

describe('log', () => {
  test('an event in front: one added, the others renumbered, and who names another still does', async () => {
    const { exitCode, data } = await diff(file(base()), tempFile(insertedInFront()), '--level', 'log')
    expect(exitCode).toBe(1)
    expect(data.changes).toMatchObject([
      { change: 'added', count: 1, b: { first: 0, last: 0 }, kinds: { 'todo/write': 1 } },
      { change: 'renumbered', count: 9, a: { first: 0, last: 8 }, b: { first: 1, last: 9 } },
    ])
  })

  test('a renumbered event that names another event than before is changed', async () => {
    const astray = insertedInFront().toString().replace('"sourceEventSeqs":[6]', '"sourceEventSeqs":[5]')
    const { data } = await diff(file(base()), tempFile(astray), '--level', 'log')
    expect(data.summary.log?.counts).toEqual({
      same: 0,
      added: 1,
      removed: 0,
      changed: 1,
      renumbered: 8,
      moved: 0,
    })
    expect(data.changes.find(({ change }) => change === 'changed')).toMatchObject({
      a: { first: 6 },
      b: { first: 7 },
      members: [{ path: 'sourceEventSeqs', a: '[6]', b: '[5]' }],
    })
  })

  test('references that differ while nothing is renumbered', async () => {
    const other = base().edit(6, (row) => ({ ...row, sourceEventSeqs: [4] }))
    const { data } = await diff(file(base()), file(other), '--level', 'log')
    expect(data.changes).toEqual([
      {
        level: 'log',
        change: 'changed',
        count: 1,
        a: { first: 6, last: 6 },
        b: { first: 6, last: 6 },
        kinds: { 'tool/result': 1 },
        members: [{ path: 'sourceEventSeqs', a: '[5]', b: '[4]' }],
      },
    ])
  })

  test('a changed event, by the paths of its members', async () => {
    const { data } = await diff(file(base()), file(base().edit(1, said('list the files'))))
    expect(data.changes.filter(({ level }) => level !== 'bytes')).toMatchObject([
      {
        level: 'log',
        change: 'changed',
        a: { first: 1 },
        members: [{ path: 'data.content[0].text', a: '"list files"', b: '"list the files"' }],
      },
      {
        level: 'surface',
        change: 'changed',
        a: { first: 1, position: 0 },
        members: [{ path: 'content[0].text', a: '"list files"', b: '"list the files"' }],
      },
    ])
  })

  test('another header is a difference of the log', async () => {
    const { exitCode, data } = await diff(
      file(base()),
      file(base().header({ cwd: '/elsewhere' })),
      '--level',
      'log',
    )
    expect(exitCode).toBe(1)
    expect(data.changes).toMatchObject([
      {
        change: 'changed',
        kinds: { header: 1 },
        members: [{ path: 'header.cwd', a: '"/w"', b: '"/elsewhere"' }],
      },
    ])
    expect(
      (await runMain(['diff', file(base()), file(base().header({ cwd: '/x' })), '--level', 'log'])).stdout,
    ).toContain('log: another header; 9 events the same')
  })

  test('changed events beyond the first 200 are told without their members', async () => {
    const many = (text: string): string => {
      const built = log()
      for (let at = 0; at < 205; at++) built.event('session/title', { title: `${text} ${at}` })
      return file(built)
    }
    const { data } = await diff(many('a'), many('b'), '--level', 'log')
    expect(data.changes).toHaveLength(205)
    expect(data.changes.filter(({ members }) => members !== undefined)).toHaveLength(200)
  })
})

describe('surface', () => {
  test('seqs and log-only events do not count', async () => {
    const run = await diff(file(base()), tempFile(insertedInFront()), '--level', 'surface')
    expect(run).toMatchObject({ exitCode: 0, data: { changes: [] } })
  })

  test('a message of several lines is compared line by line', async () => {
    const [a, b] = ['one\ntwo\nthree', 'one\n2\nthree'].map((text) =>
      file(log().turn((turn) => turn.user(text))),
    )
    const { stdout } = await runMain(['diff', a as string, b as string, '--level', 'surface'])
    expect(stdout).toContain(
      'message seq 1 user\n  content[0].text\n  @@ -1,3 +1,3 @@\n   one\n  -two\n  +2\n   three\n',
    )
  })

  test('messages that changed places are moved', async () => {
    const users = (...texts: string[]): string => {
      const built = log().openTurn()
      for (const text of texts)
        built.event(
          'user/message',
          { id: text, role: 'user', source: { kind: 'user' }, content: [] },
          { surfaceOp: 'append' },
        )
      return file(built)
    }
    const { data } = await diff(users('a', 'b', 'c', 'd'), users('b', 'c', 'd', 'a'), '--level', 'surface')
    expect(data.changes).toMatchObject([{ change: 'moved', a: { position: 0 }, b: { position: 3 } }])
  })
})

describe('two moments of one log', () => {
  test('the surface between them, and how many events there are', async () => {
    const path = file(twoTurns())
    const { exitCode, data } = await diff(path, '--from', '8', '--to', '14')
    expect(exitCode).toBe(1)
    expect(data).toMatchObject({
      levels: ['surface'],
      a: { at: 8, messages: 3 },
      b: { at: 14, messages: 5 },
      between: {
        count: 6,
        events: [
          { first: 9, last: 9, type: 'turn/start' },
          { first: 10, last: 10, type: 'user/message' },
          { first: 11, last: 11, type: 'step/start' },
          { first: 12, last: 12, type: 'assistant/message' },
          { first: 13, last: 13, type: 'step/end' },
          { first: 14, last: 14, type: 'turn/end' },
        ],
      },
      changes: [
        { change: 'added', b: { first: 10 } },
        { change: 'added', b: { first: 12 } },
      ],
    })
  })

  test('--to is the last event when it is left out', async () => {
    const path = file(twoTurns())
    expect((await diff(path, '--from', '8')).data).toEqual(
      (await diff(path, '--from', '8', '--to', '14')).data,
    )
  })

  test('a surface that stays the same is no difference, whatever was logged', async () => {
    expect(await diff(file(base()), '--from', '6')).toMatchObject({
      exitCode: 0,
      data: { between: { count: 2 } },
    })
  })

  test('digests are those of surface --at', async () => {
    const { data } = await diff(COMPACTED, '--from', '12', '--to', '40')
    for (const side of [data.a, data.b]) {
      const { stdout } = await runMain(['surface', COMPACTED, '--at', String(side.at), '--digest'])
      expect(stdout).toBe(`${side.digest}\n`)
    }
  })
})

describe('what was not read is never the same', () => {
  test('nothing differs but for a torn tail: 4, and it is said why', async () => {
    const [a, b] = [file(crashed()), tempFile(torn())]
    const { exitCode, stdout, stderr } = await runMain(['diff', a, b, '--level', 'log,surface'])
    expect(exitCode).toBe(4)
    expect(stdout).toBe(
      `${a} and ${b}: no difference found in log, surface, but not everything could be read (bytes/torn-tail)\n`,
    )
    expect(stderr).toContain('was not read whole (bytes/torn-tail)')
  })

  test('a difference is a difference', async () => {
    expect((await diff(file(base()), tempFile(torn()))).exitCode).toBe(1)
  })

  test('lines over the limit', async () => {
    const [a, b] = ['x', 'y'].map((text) => file(log().turn((turn) => turn.user(text.repeat(3000)))))
    const run = await diff(a as string, b as string, '--max-record', '1000', '--level', 'log,surface')
    expect(run).toMatchObject({ exitCode: 4, data: { outcome: 'unknown' } })
    expect((await diff(a as string, b as string, '--max-record', '1000')).exitCode).toBe(1)
  })

  test('values that a reader of JSON does not see', async () => {
    const [a, b] = ['9007199254740993', '9007199254740992'].map((number) =>
      tempFile(base().bytes().toString().replace('"a.txt"', number)),
    )
    expect(await diff(a as string, b as string, '--level', 'log')).toMatchObject({ exitCode: 4 })
  })
})

test('a log that grows while it is compared is not the same', async () => {
  const [a, b] = [file(base()), file(base())]
  let readings = 0
  const progress: ReadingProgress = {
    expect() {},
    next() {},
    passed() {},
    holds() {},
    reach() {},
    begin() {
      // Both logs were read once by then, and are read again.
      if (++readings === 3) appendFileSync(a, '{"type":"todo/write","seq":9,"time":1,"data":{}}\n')
    },
  }
  const { exitCode, reportSet } = await command.call([a, b], {}).run(commandContext({ progress }))
  expect(readings).toBeGreaterThan(3)
  expect(exitCode).not.toBe(0)
  expect(reportSet.reports).toMatchObject([{ data: { a: { unread: ['bytes/changed-while-reading'] } } }])
})

describe('how it is called', () => {
  const good = (): string => file(base())

  test.each<[name: string, args: () => string[], exitCode: number, said: RegExp]>([
    ['one log alone', () => [good()], 2, /second log, or --from/],
    ['moments of two logs', () => [good(), good(), '--from', '1'], 2, /moments of one log/],
    ['--to without --from', () => [good(), '--to', '1'], 2, /--from/],
    ['backwards', () => [good(), '--from', '5', '--to', '1'], 2, /ends before it begins/],
    ['after the end', () => [good(), '--from', '1', '--to', '99'], 2, /ends at seq 8/],
    ['another level', () => [good(), good(), '--level', 'words'], 2, /"words" is no level/],
    ['bytes of moments', () => [good(), '--from', '1', '--level', 'bytes'], 2, /level of the surface/],
    ['standard input twice', () => ['-', '-'], 2, /once only/],
    ['a missing file', () => [good(), 'none.jsonl'], 3, /none\.jsonl/],
    ['a file that is no log', () => [good(), tempFile('{"a":1}\n')], 3, /not a session log/],
    ['an empty file', () => [tempFile(''), good()], 3, /not a session log/],
    [
      'a directory of several',
      () => [good(), join(import.meta.dirname, '../../examples')],
      2,
      /names 5 logs/,
    ],
    ['a format for findings', () => [good(), good(), '--format', 'sarif'], 2, /sarif/],
  ])('%s', async (_name, args, exitCode, said) => {
    const run = await runMain(['diff', ...args()])
    expect(run).toMatchObject({ exitCode, stdout: '' })
    expect(run.stderr).toMatch(said)
  })

  test('standard input on one side', async () => {
    const run = await runMain(['diff', '-', good()], { input: base().bytes() })
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
  })

  test('a session of a database by its name', async () => {
    const path = await written('SQLite 17', await wholeLog(base().bytes()))
    const { id } = JSON.parse(base().lines()[0]?.toString() as string)
    expect((await diff(good(), `${path}#${id}`, '--level', 'log')).exitCode).toBe(0)
  })

  test.each(['text', 'markdown', 'json', 'ndjson'])('a report next to the answer as %s', async (format) => {
    const logs = [good(), file(twoTurns().edit(1, said('a\nb')))]
    const saved = join(tempDir(), 'report')
    const direct = await runMain(['diff', ...logs, '--format', format])
    const both = await runMain(['diff', ...logs, '--json', '--report', `${format}=${saved}`])
    expect(readFileSync(saved, 'utf8')).toBe(direct.stdout)
    expect([direct.exitCode, both.exitCode]).toEqual([1, 1])
  })

  test('--limit bounds the rows of a level', async () => {
    const many = (text: string): string => {
      const built = log()
      for (let at = 0; at < 9; at++) built.event('session/title', { title: `${text} ${at}` })
      return file(built)
    }
    const [a, b] = [many('a'), many('b')]
    const rows = async (...options: string[]): Promise<number> =>
      (await runMain(['diff', a, b, '--level', 'log', ...options])).stdout.match(/^changed /gm)?.length ?? 0
    expect([await rows(), await rows('--limit', '2'), await rows('--all')]).toEqual([5, 2, 9])
    expect((await runMain(['diff', a, b, '--level', 'log'])).stdout).toContain(
      '… and 4 more differences (--all shows all)',
    )
  })
})

test('a member that readers pass over may be the difference: 4, not 0', async () => {
  const [a, b] = ['q', 'Q2'].map((extra) =>
    tempFile(
      base()
        .edit(4, (row) => ({ ...row, extra }))
        .bytes(),
    ),
  )
  const { exitCode, stderr } = await runMain(['diff', a as string, b as string, '--level', 'log,surface'])
  expect(exitCode).toBe(4)
  expect(stderr).toContain('envelope/invalid')
})
