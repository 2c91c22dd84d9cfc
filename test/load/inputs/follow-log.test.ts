/** When a watcher is told what: as soon as nothing later can change it, and no sooner. */
import {
  appendFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { LogReplaced } from '../../../src/storage/growing/log-replaced.ts'
import { wholeLog, written } from '../../support/containers.ts'
import { fileTree, placeOf } from '../../support/file-tree.ts'
import { framed } from '../../support/frames-of-lines.ts'
import { choppedWrites, readWhole, watched } from '../../support/growing-log.ts'
import { log } from '../../support/log-builder.ts'
import { base, crashed, rich, twoTurns } from '../../support/sample-logs.ts'
import { tempDir, tempFile } from '../../support/temp-dir.ts'
import { clashing } from '../../support/two-writers.ts'

/** The lines of a log, one a step, and how many entries and findings have been told after each. */
async function toldByLine(bytes: Buffer): Promise<{ entries: number[]; findings: number[] }> {
  const path = join(tempDir(), 'log.jsonl')
  const { told } = await watched(path, choppedWrites(path, bytes, lineEnds(bytes)))
  // The first look finds no file, and the header tells nothing.
  const after = told.slice(2)
  return { entries: after.map(({ entries }) => entries), findings: after.map(({ findings }) => findings) }
}

function lineEnds(bytes: Buffer): number[] {
  const ends: number[] = []
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) ends.push(at + 1)
  return ends
}

describe('entries', () => {
  test('are told with their events', async () => {
    const { entries } = await toldByLine(base().bytes())
    // turn/start, user, step/start, request/header, assistant, tool/call, result, step/end, turn/end
    expect(entries).toEqual([0, 1, 1, 1, 2, 2, 3, 3, 3])
  })

  test('of what was left unfinished, when its turn ends', async () => {
    const streaming = log().turn((turn) => turn.user('hi').openStep((step) => step.chunk('hal')))
    expect((await toldByLine(streaming.bytes())).entries).toEqual([0, 1, 1, 1, 2])
  })

  test('of what is unfinished when nothing more comes, at the end', async () => {
    const path = tempFile(crashed().bytes())
    const { entries, told } = await watched(path, [])
    expect(entries).toHaveLength((told.at(-1)?.entries ?? 0) + 1)
    expect(entries.at(-1)).toMatchObject({ kind: 'unfinished', callId: 'c2' })
  })

  test('after a break wait for a turn end, and those before it do not', async () => {
    const broken = base().openTurn((turn) => turn.user('before').raw('%%%').user('after'))
    const ended = Buffer.concat([
      broken.bytes(),
      line({ type: 'turn/end', seq: 12, time: 1_700_000_000_012, data: { turn: 2 } }),
    ])
    const { entries, findings } = await toldByLine(ended)
    expect(entries.slice(9)).toEqual([3, 4, 4, 4, 6])
    expect(findings.slice(9)).toEqual([0, 0, 0, 0, 2])
  })

  test('after a break without a turn end are left out, and that is said at the end', async () => {
    const path = tempFile(base().bytes())
    const rest = base()
      .openTurn((turn) => turn.user('before').raw('%%%').user('after'))
      .bytes()
    const more = rest.subarray(readFileSync(path).length)
    const { entries, findings, told } = await watched(path, choppedWrites(path, more, lineEnds(more)))
    expect(entries.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool', 'user', 'gap'])
    expect(told.at(-1)).toEqual({ entries: 4, findings: 0 })
    expect(findings).toMatchObject([
      { code: 'turn/open' },
      { code: 'bytes/bad-tail-line' },
      { code: 'order/rows-dropped' },
    ])
  })

  test('of a log without markers wait: the first marker would make it another log', async () => {
    const bytes = log()
      .row({
        type: 'user/message',
        seq: 0,
        time: 1,
        data: { id: 'u', role: 'user', source: { kind: 'user' }, content: [] },
      })
      .bytes()
    const path = tempFile(bytes)
    const { entries, told } = await watched(path, [])
    expect(told.map((each) => each.entries)).toEqual([0])
    expect(entries).toHaveLength(1)
  })

  test('of half a line are not there', async () => {
    const bytes = base().bytes()
    const path = tempFile(bytes.subarray(0, bytes.length - 1))
    const { told, findings } = await watched(path, [() => appendFileSync(path, '\n')])
    expect(told.map((each) => each.findings)).toEqual([0, 0])
    expect(findings).toEqual([])
  })
})

describe('findings', () => {
  test('are told with the event that is wrong', async () => {
    const bytes = twoTurns()
      .checkpoint(99, 99, { sources: [1] })
      .user('more')
      .user('and more')
      .bytes()
    const { findings } = await toldByLine(bytes)
    expect(findings.at(-4)).toBe(0)
    expect(findings.at(-3)).toBeGreaterThan(0)
  })

  test('a broken line waits for the next one, which may complete it', async () => {
    const whole = twoTurns().lines()
    const cut = whole[2] as Buffer
    const halves = [
      cut.subarray(0, cut.indexOf(' files')),
      Buffer.from('\n'),
      cut.subarray(cut.indexOf(' files')),
    ]
    const split = joined([...whole.slice(0, 2), Buffer.concat(halves), ...whole.slice(3)])
    const path = join(tempDir(), 'log.jsonl')
    const { told, findings } = await watched(path, choppedWrites(path, split, lineEnds(split)))
    expect(findings).toMatchObject([{ code: 'bytes/split-line' }])
    expect(Math.max(...told.map((each) => each.findings))).toBe(1)
  })
})

test('what is told of two writers at once is made good at the end, by what came after it', async () => {
  const path = join(tempDir(), 'log.jsonl')
  const more = log().jumpTo(16).event('plan/mode', { active: true }).event('plan/mode', { active: false })
  const bytes = Buffer.concat([clashing(), joined(more.lines().slice(1))])
  const { findings, told } = await watched(path, choppedWrites(path, bytes, lineEnds(bytes)))
  expect(findings).toEqual((await readWhole(tempFile(bytes))).findings)
  expect(findings).toMatchObject([
    { code: 'order/seq-repeated', args: { livesOn: 3 } },
    { code: 'turn/end-mismatch' },
  ])
  expect(told.at(-1)?.findings).toBe(2)
})

describe('before the log is there', () => {
  test('it is waited for, which is said once', async () => {
    const path = join(tempDir(), 'log.jsonl')
    const { said, entries } = await watched(path, [
      () => {},
      () => {},
      () => writeFileSync(path, base().bytes()),
    ])
    expect(said).toEqual([`cannot read ${path}: there is no such file; waiting for it`])
    expect(entries).toHaveLength(3)
  })

  test('a folder without a log is waited for, too', async () => {
    const root = tempDir()
    const { entries } = await watched(root, [() => void fileTree({ 'session.jsonl': base() }, root)])
    expect(entries).toHaveLength(3)
  })

  test('it never comes', async () => {
    await expect(watched(join(tempDir(), 'log.jsonl'), [])).rejects.toMatchObject({ code: 'input' })
  })

  test('a database is waited for, too', async () => {
    const path = await written('SQLite 17', await wholeLog(base().bytes()))
    const whole = readFileSync(path)
    rmSync(path)
    const { entries } = await watched(path, [() => writeFileSync(path, whole)])
    expect(entries).toHaveLength(3)
  })
})

const CONTAINERS = ['plain', 'zstd', 'SQLite 17'] as const

describe.each(CONTAINERS)('%s: what was read is not there any more', (container) => {
  const make = async (builder = rich()) => written(container, await wholeLog(builder.bytes()))

  test('the file is gone', async () => {
    const path = await make()
    await expect(watched(path, [() => rmSync(path)])).rejects.toThrow('it is gone')
  })

  test('another file has its name', async () => {
    const path = await make()
    const other = await make()
    await expect(watched(path, [() => renameSync(other, path)])).rejects.toThrow(LogReplaced)
  })

  test('another log was written into the file', async () => {
    const path = await make(twoTurns())
    const other = readFileSync(
      await make(
        rich()
          .header({ id: 'another' })
          .edit(10, (row) => ({ ...row, time: 5 })),
      ),
    )
    await expect(watched(path, [() => writeFileSync(path, other)])).rejects.toThrow('has changed')
  })

  test('only its time has changed: nothing is read again', async () => {
    const path = await make()
    const { entries } = await watched(path, [() => utimesSync(path, 1, 1)])
    expect(entries).toEqual((await readWhole(path)).entries)
  })
})

const TEXTS = {
  plain: { name: 'log.jsonl', stored: async (lines: readonly Buffer[]) => joined(lines) },
  zstd: { name: 'log.jsonl.zstd', stored: framed },
} as const

test('the last row of a database is another one now', async () => {
  const path = await written('SQLite 17', await wholeLog(base().bytes()))
  const change = (): void => {
    const writer = new Database(path)
    writer.prepare('UPDATE events SET time = time + 1 WHERE seq = 8').run()
    writer.close()
  }
  await expect(watched(path, [change])).rejects.toThrow('has changed')
})

describe.each(Object.entries(TEXTS))('%s: the end of the file', (_container, { name, stored }) => {
  test.each([1, 7, 60])('a torn tail of %i bytes is cut off, and the log goes on', async (tail) => {
    const longer = crashed().result('c2', 'unknown', { isError: true })
    const [whole, wholeLonger, lost] = await Promise.all([
      stored(crashed().lines()),
      stored(longer.lines()),
      stored([Buffer.from(`{"type":"assistant/message","seq":14,"time":1,"data":${'1'.repeat(60)}}`)]),
    ])
    const path = tempFile(whole, name)
    const steps = [
      () => appendFileSync(path, lost.subarray(0, tail)),
      () => truncateSync(path, whole.length),
      () => appendFileSync(path, wholeLonger.subarray(whole.length)),
    ]
    // Each of them seen, only the first and what comes of the others, or nothing but the outcome.
    const [tear, ...mend] = steps as [() => void, ...(() => void)[]]
    const all = (some: readonly (() => void)[]) => () => {
      for (const step of some) step()
    }
    for (const seen of [steps, [tear, all(mend)], [all(steps)]]) {
      writeFileSync(path, whole)
      const { entries } = await watched(path, seen)
      expect(entries).toEqual((await readWhole(tempFile(wholeLonger, name))).entries)
      expect(entries.at(-1)).toMatchObject({ kind: 'tool', callId: 'c2' })
    }
  })

  test('a cut in what was read', async () => {
    const whole = await stored(rich().lines())
    const path = tempFile(whole, name)
    await expect(watched(path, [() => truncateSync(path, whole.length >> 1)])).rejects.toThrow('has changed')
  })

  test('a cut in what was read, after which the log is longer again before anybody looks', async () => {
    const [whole, other] = await Promise.all([
      stored(twoTurns().lines()),
      stored(
        rich()
          .edit(4, (row) => ({ ...row, time: 7 }))
          .lines(),
      ),
    ])
    const path = tempFile(whole, name)
    await expect(watched(path, [() => writeFileSync(path, other)])).rejects.toThrow('has changed')
  })
})

describe('generations', () => {
  const id = 'session-00000000-0000-4000-8000-000000000001'
  const store = () => {
    const root = fileTree({ [placeOf(id, '/w')]: base() })
    return { root, older: join(root, placeOf(id, '/w')) }
  }

  test.each(['session.v1.jsonl', 'session.v4.jsonl'])('the session goes on in %s', async (name) => {
    const { root, older } = store()
    const newer = join(dirname(older), name)
    const publish = () => writeFileSync(newer, log().header({ version: 1 }).bytes())
    const error = await watched(root, [publish]).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'LogReplaced', successor: newer })
    expect((error as Error).message).toContain(basename(newer))
  })

  test('one that is not written whole at once', async () => {
    const { older } = store()
    const newer = join(dirname(older), 'session.v1.jsonl')
    const steps = [
      () => writeFileSync(newer, ''),
      () => writeFileSync(newer, log().header({ version: 1 }).bytes()),
    ]
    await expect(watched(older, steps)).rejects.toThrow('the session goes on in session.v1.jsonl')
  })

  test.each([
    ['a file that is being made', 'session.v4.jsonl', ''],
    ['another session', 'session.v4.jsonl', log().header({ id: 'another', version: 4 }).text()],
    ['no generation', 'session.v04.jsonl', log().text()],
    ['a temporary file', 'session.v4.jsonl.0123456789ab.tmp', log().text()],
    ['the same generation, compressed', 'session.jsonl.zstd', log().text()],
  ])('%s is none', async (_name, file, content) => {
    const { older } = store()
    const { entries } = await watched(older, [
      () => writeFileSync(join(dirname(older), file), content),
      () => appendFileSync(older, '{"ty'),
    ])
    expect(entries.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool', 'gap'])
  })

  test('one that was there before is not moved to: an older one was named', async () => {
    const { older } = store()
    writeFileSync(join(dirname(older), 'session.v1.jsonl'), log().header({ version: 1 }).bytes())
    expect((await watched(older, [])).entries).toHaveLength(3)
  })
})

function joined(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((each) => [each, Buffer.from('\n')]))
}

function line(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
