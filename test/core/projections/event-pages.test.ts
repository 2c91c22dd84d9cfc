/** One page of raw events (format.md §8.5). */
import { expect, test } from 'vitest'
import { eventsBetween, pageBounds } from '../../../src/core/projections/event-pages.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich, twoTurns } from '../../support/sample-logs.ts'

async function page(built: LogBuilder, maxMessages: number, before?: number) {
  const { results } = await load(built, { bounds: pageBounds(maxMessages, before) })
  const { from, before: end, hasMore } = results.bounds
  const seqs: number[] = []
  await load(built, { events: eventsBetween(from, end, ({ seq }) => seqs.push(seq)) })
  return { seqs, hasMore }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** Chunks 2 to 4, the answer that cites them at 5. */
function streamed(): LogBuilder {
  return log().turn((turn) =>
    turn.step((step) =>
      step
        .chunk('a')
        .chunk('b')
        .chunk('c')
        .assistant('abc', { sources: [4, 2, 3] }),
    ),
  )
}

test.each<[name: string, log: LogBuilder, max: number, before: number | undefined, from: number, to: number]>(
  [
    ['the newest message', twoTurns(), 1, undefined, 12, 14],
    ['two messages', twoTurns(), 2, undefined, 10, 14],
    ['results do not count', twoTurns(), 3, undefined, 4, 14],
    ['all there are', twoTurns(), 4, undefined, 1, 14],
    ['fewer than asked for', twoTurns(), 5, undefined, 0, 14],
    ['before a seq', twoTurns(), 1, 12, 10, 11],
    ['before a seq beyond the end', twoTurns(), 1, 99, 12, 14],
    ['an answer stays with its chunks', streamed(), 1, undefined, 2, 7],
    ['replacements do not count', twoTurns().compaction(1, 6), 2, undefined, 10, 18],
    [
      'a regenerated answer does not count',
      base().assistant('x', { op: { op: 'replace', start: 4, end: 4 }, sources: [4] }),
      1,
      undefined,
      4,
      9,
    ],
  ],
)('%s', async (_name, built, max, before, from, to) => {
  expect(await page(built, max, before)).toEqual({ seqs: range(from, to), hasMore: from > 0 })
})

test.each<[name: string, log: LogBuilder, before: number | undefined]>([
  ['an empty log', log(), undefined],
  ['before the first event', twoTurns(), 0],
])('%s gives an empty page', async (_name, built, before) => {
  expect(await page(built, 1, before)).toEqual({ seqs: [], hasMore: false })
})

test('a page may hold a checkpoint whose range lies outside it', async () => {
  const built = twoTurns()
    .compaction(1, 6)
    .turn((turn) => turn.user('on'))
  const { seqs } = await page(built, 3)
  expect(seqs).toContain(17)
  expect(seqs).not.toContain(6)
})

test('pages from the end to the start are the whole log, each event once', async () => {
  const built = rich()
  const seqs: number[] = []
  let before: number | undefined
  for (;;) {
    const next = await page(built, 2, before)
    seqs.unshift(...next.seqs)
    if (!next.hasMore) break
    before = next.seqs[0]
  }
  expect(seqs).toEqual(range(0, built.nextSeq - 1))
})
