/** What the reader keeps, drops and says, and where things lie in the file. */
import { describe, expect, test } from 'vitest'
import { judge } from '../../../src/core/findings/verdict.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich } from '../../support/sample-logs.ts'

const eventCount = async (built: LogBuilder | Buffer): Promise<number> =>
  (await load(built, {})).end.eventCount

test('positions are those of the bytes in the file', async () => {
  const built = log().turn((turn) => turn.step((step) => step.packed(['a', 'b', 'c'])))
  const lines = built.lines()
  const seen: unknown[] = []
  await load(built, {
    origins: { on: ({ event, origin }) => void seen.push([event.seq, origin]), finish: () => 0 },
  })
  const at = (line: number) => ({
    line,
    byteOffset: lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0),
    byteLength: lines[line - 1]?.length,
  })
  expect(seen).toEqual([
    [0, at(2)],
    [1, at(3)],
    [2, { ...at(4), member: 0 }],
    [3, { ...at(4), member: 1 }],
    [4, { ...at(4), member: 2 }],
    [5, at(5)],
    [6, at(6)],
  ])
})

describe('layout', () => {
  test.each<[name: string, log: LogBuilder, cut: boolean, droppedEvents: number]>([
    ['a whole log', base(), false, 0],
    ['a torn tail', base().torn('{"type"'), true, 0],
    ['garbage at the end', base().raw('%%%'), true, 0],
    ['a tail of valid rows after garbage', base().raw('%%%').user('a').user('b'), true, 2],
    ['a packed row in the tail', base().jumpTo(20).packed(['a', 'b', 'c']), true, 3],
  ])('%s', async (_name, built, cut, droppedEvents) => {
    const { layout } = await load(built, {})
    expect(layout.droppedEvents).toBe(droppedEvents)
    expect(layout.cut?.byteOffset).toBe(cut ? base().bytes().length : undefined)
  })
})

test.each<[name: string, log: LogBuilder, records: number, events: number]>([
  ['single rows', base(), 9, 9],
  ['packed rows', log().turn((turn) => turn.step((step) => step.packed(['a', 'b', 'c']))), 5, 7],
  ['streamed deltas', log().turn((turn) => turn.step((step) => step.chunk('a').chunk('b'))), 6, 6],
  ['a header alone', log(), 0, 0],
])('counts records and events: %s', async (_name, built, records, events) => {
  const { layout, end } = await load(built, {})
  expect([layout.records, end.eventCount]).toEqual([records, events])
})

test.each<[name: string, log: LogBuilder | Buffer, events: number]>([
  ['a log', base(), 9],
  ['events after garbage in the committed part', log().turn((turn) => turn.raw('%%%').user('hi')), 3],
  ['no events of a crash tail', base().raw('%%%').user('lost'), 9],
  ['all but the lost ones around a gap', base().drop(5), 8],
  ['the first copy of repeated rows', Buffer.concat([base().bytes(), rowsOf(base(), 4)]), 9],
  ['what looks like events in a newer format', log().header({ version: 99 }).user('hi'), 1],
  ['the events after a lost header', base().firstLine('%%%'), 9],
])('reads %s', async (_name, built, events) => {
  expect(await eventCount(built)).toBe(events)
})

test('a turn end with an escaped slash is a turn end', async () => {
  const text = log()
    .turn((turn) => turn.raw('%%%'))
    .text()
    .replace('"turn/end"', '"turn\\/end"')
  expect((await load(text, {})).list.map(({ code }) => code)).toEqual(['bytes/bad-line'])
})

test('a turn end in a text is none', async () => {
  const built = base().raw('%%%').user('"type":"turn/end"')
  expect((await load(built, {})).list.map(({ code }) => code)).toEqual([
    'bytes/bad-tail-line',
    'order/rows-dropped',
  ])
})

test('a torn turn end does not make damage before it fatal', async () => {
  const built = log()
    .openTurn((turn) => turn.raw('%%%'))
    .torn('{"type":"turn/end","seq":1,"time":0,"data":{}}')
  expect((await load(built, {})).judgement.opens).toBe(true)
})

test('markers are looked for after the first unmarked message', async () => {
  const built = rich().edit(1, ({ surfaceOp: _op, ...row }) => row)
  const { list, end } = await load(built, {})
  expect(list.map(({ code }) => code)).toContain('surface/op-missing')
  expect(end.surface.has(1)).toBe(false)
})

test('a log of more than one chunk is read across their borders', async () => {
  const built = log()
  for (let count = 0; count < 40; count++) built.user('x'.repeat(100_000))
  expect(await eventCount(built)).toBe(40)
})

/** The lines of a log from this seq on. */
function rowsOf(built: LogBuilder, seq: number): Buffer {
  return Buffer.from(
    `${built
      .text()
      .trimEnd()
      .split('\n')
      .slice(seq + 1)
      .join('\n')}\n`,
  )
}

describe('-0', () => {
  const note = (seq: string, more = ''): string =>
    `{"type":"plan/mode","seq":${seq},"time":1,"data":{}${more}}`
  const message = (seq: number, surfaceOp: string, sources = ''): string =>
    `{"type":"user/message","seq":${seq},"time":1,"data":{"id":"u${seq}","role":"user","source":{"kind":"user"},"content":[{"type":"text","text":"x"}]},"surfaceOp":${surfaceOp}${sources}}`
  const refuses = async (version: number, ...rows: readonly string[]): Promise<boolean> => {
    const { isSeeded, ...kept } = { isSeeded: false, version, id: 's', createdAt: 1, delegationDepth: 0 }
    const header = JSON.stringify({ type: 'session', ...kept, ...(version >= 2 && { isSeeded }) })
    const { findings } = await load(Buffer.from([header, ...rows, ''].join('\n')), {})
    return !judge(findings.counts()).opens
  }

  test.each([
    [0, false],
    [2, true],
    [3, false],
    [4, true],
  ])('as a seq, format %i', async (version, isRefused) => {
    expect(await refuses(version, note('0'))).toBe(false)
    expect(await refuses(version, note('-0'))).toBe(isRefused)
  })

  test('as a seq in format 3 is row damage, so a turn end refuses the log', async () => {
    const end = '{"type":"turn/end","seq":1,"time":1,"data":{"turn":1,"reason":{"kind":"completed"}}}'
    expect(await refuses(3, note('-0'), end)).toBe(true)
  })

  test.each([
    [0, false],
    [2, false],
    [4, true],
  ])('as the start of a replacement, format %i', async (version, isRefused) => {
    const [start, end] = version >= 3 ? ['startSeq', 'endSeq'] : ['start', 'end']
    const replaced = (seq: string): readonly string[] => [
      message(0, '"append"'),
      message(1, `{"op":"replace","${start}":${seq},"${end}":0}`, ',"sourceEventSeqs":[0]'),
    ]
    expect(await refuses(version, ...replaced('0'))).toBe(false)
    expect(await refuses(version, ...replaced('-0'))).toBe(isRefused)
  })
})
