/** Where events are missing or cannot be read: what is said of every gap, and where it is shown. */
import { describe, expect, test } from 'vitest'
import { type Gaps, gaps } from '../../../src/core/projections/gaps.ts'
import { surfaceView } from '../../../src/core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../../../src/core/projections/transcript.ts'
import type { PlacedGap } from '../../../src/core/replay/gap.ts'
import { transcriptDigest } from '../../../src/load/sessions/log-digests.ts'
import { DEFAULT_LIMITS } from '../../../src/storage/record-source.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'

/** Seqs 0 to 7: the answer is 3. */
const whole = (): LogBuilder =>
  log()
    .turn((turn) => turn.step((step) => step.user('hi').assistant('the answer')))
    .user('next')

const line = (built: LogBuilder, seq: number): string => String(built.lines()[seq + 1])

/** The log with the line of one event as `change` makes it. */
function withLine(seq: number, change: (line: string) => string): Buffer {
  const lines = whole().lines().map(String)
  lines[seq + 1] = change(lines[seq + 1] as string)
  return Buffer.from(lines.map((each) => `${each}\n`).join(''))
}

async function gapsOf(bytes: Buffer | LogBuilder, maxRecord = DEFAULT_LIMITS.maxRecord): Promise<Gaps> {
  return (await load(bytes, { gaps: gaps() }, { ...DEFAULT_LIMITS, maxRecord })).results.gaps
}

describe('what is lost', () => {
  test.each<[name: string, bytes: Buffer | LogBuilder, gap: Partial<PlacedGap>]>([
    [
      'an event that is not there',
      whole().drop(3),
      { kind: 'missing', first: 3, last: 3, events: 1, turn: 1, step: 1 },
    ],
    [
      'two of them',
      whole().drop(2).drop(3),
      { kind: 'missing', first: 2, last: 3, events: 2, turn: 1, step: 1 },
    ],
    ['the first event', whole().drop(0), { kind: 'missing', first: 0, last: 0, events: 1 }],
    [
      'an event of half a line',
      withLine(3, (whole) => whole.slice(0, whole.indexOf('answer') + 3)),
      { kind: 'unreadable', first: 3, last: 3, events: 1, turn: 1, step: 1, texts: ['the ans'] },
    ],
    [
      'an event without a seq',
      withLine(3, (whole) => whole.replace('"seq":3', '"seq":null')),
      { kind: 'unnumbered', first: 3, last: 3, events: 1, texts: ['the answer'] },
    ],
    [
      'a row that is no event, in a place that is free',
      withLine(3, (whole) => `${whole}\n%%%`),
      { kind: 'unreadable', first: 4, events: 1 },
    ],
    [
      'half a record before a whole one on its line',
      withLine(3, (whole) => `${whole.slice(0, -8)}${line(log().jumpTo(4).row({}), 0)}`),
      { kind: 'unreadable', first: 3, last: 3, texts: ['the answer'] },
    ],
    [
      'a torn tail',
      whole().torn('{"type":"user/message","seq":7,"data":{"content":[{"text":"so fa'),
      { kind: 'dropped', first: 7, events: 1, texts: ['so fa'] },
    ],
    [
      'a crash tail',
      whole().raw('%%%').user('a').user('b'),
      { kind: 'dropped', first: 7, events: 3, texts: ['a', 'b'] },
    ],
  ])('%s', async (_name, bytes, gap) => {
    const { kept, count } = await gapsOf(bytes)
    expect(kept).toEqual([expect.objectContaining(gap)])
    expect(kept[0]).toHaveProperty('first', gap.first)
    expect('last' in (kept[0] ?? {})).toBe('last' in gap)
    expect(count).toBe(1)
  })

  test.each(['\n', ' \t\r\n'])('nothing where a line is blank: %j', async (blank) => {
    expect((await gapsOf(withLine(3, (whole) => `${whole}\n${blank.slice(0, -1)}`))).kept).toEqual([])
    expect((await gapsOf(Buffer.concat([whole().bytes(), Buffer.from(blank)]))).kept).toEqual([])
  })

  test('a record over the limit', async () => {
    const long = withLine(3, (whole) => whole.replace('answer', 'answer'.repeat(200)))
    expect((await gapsOf(long, 1000)).kept).toEqual([
      { kind: 'unread', first: 3, last: 3, events: 1, turn: 1, step: 1 },
    ])
  })

  test.each<[name: string, bytes: Buffer | LogBuilder]>([
    ['a whole log', whole()],
    [
      'a record that is split over two lines',
      withLine(3, (whole) => whole.replace('the answer', 'the\nanswer')),
    ],
    ['NUL bytes around a record', withLine(3, (whole) => `\0\0${whole}\0`)],
    ['the same rows twice', withLine(3, (whole) => `${whole}\n${whole}`)],
  ])('nothing: %s', async (_name, bytes) => {
    expect(await gapsOf(bytes)).toEqual({ kept: [], count: 0 })
  })

  test('of very many gaps the first are kept', async () => {
    const many = log()
    for (let seq = 0; seq < 1100; seq++) many.jumpTo(2 * seq + 1).user('x')
    many.turn()
    const { kept, count } = await gapsOf(many)
    expect([kept.length, count]).toEqual([1000, 1100])
  })
})

test('a transcript has a marker in its place, which is no part of its digest', async () => {
  const entries: TranscriptEntry[] = []
  const { onGap: _, ...withoutGaps } = transcriptDigest()
  const { results } = await load(whole().drop(3), {
    shown: transcript((entry) => entries.push(entry)),
    digest: transcriptDigest(),
    withoutGaps,
  })
  expect(entries.map(({ kind, seq }) => [kind, seq])).toEqual([
    ['user', 2],
    ['gap', 3],
    ['user', 6],
  ])
  expect(results.digest).toBe(results.withoutGaps)
})

test.each<[name: string, log: LogBuilder, after: number | undefined]>([
  ['before the first message', whole().drop(0), undefined],
  ['after a message', whole().drop(3), 2],
  ['after what replaced the messages around it', whole().drop(3).compaction(2, 6), 9],
])('on the surface a gap lies %s', async (_name, built, after) => {
  const { results } = await load(built, { surface: surfaceView() })
  const [gap] = results.surface.gaps
  expect(gap).toBeDefined()
  expect(gap?.after).toBe(after)
})
