/** Where a log may be cut. */
import { expect, test } from 'vitest'
import { cutPoints } from '../../../src/core/repair/cut-points.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, twoTurns } from '../../support/sample-logs.ts'

type Span = [turn: number | undefined, first: number, last: number]

test.each<[name: string, log: LogBuilder, spans: Span[]]>([
  ['nowhere in an empty log', log(), []],
  ['nowhere in an open turn', log().openTurn((turn) => turn.user('hi')), []],
  [
    'before the first turn',
    log().user('hi').event('plan/mode', {}).turn(),
    [
      [undefined, 0, 1],
      [1, 3, 3],
    ],
  ],
  [
    'after each turn',
    twoTurns(),
    [
      [1, 8, 8],
      [2, 14, 14],
    ],
  ],
  [
    'after what follows a turn',
    base().event('plan/mode', {}).user('so').turn(),
    [
      [1, 8, 10],
      [2, 12, 12],
    ],
  ],
  [
    'not inside a compaction',
    base().compaction(1, 6),
    [
      [1, 8, 8],
      [1, 12, 12],
    ],
  ],
  [
    'not after a compaction that stays open',
    base().event('compaction/start', { compactionId: 'x', turn: null }),
    [[1, 8, 8]],
  ],
  [
    'again after the end of the seed that such a compaction came from',
    base().event('compaction/start', { compactionId: 'x', turn: null }).event('session/end-seed', {}),
    [
      [1, 8, 8],
      [1, 10, 10],
    ],
  ],
  ['after a turn without a number', log().event('turn/start', {}).event('turn/end', {}), [[undefined, 1, 1]]],
  [
    'after a turn that ends twice',
    log().turn().event('turn/end', { turn: 1 }),
    [
      [1, 1, 1],
      [1, 2, 2],
    ],
  ],
])('%s', async (_name, built, spans) => {
  const { results } = await load(built, { quiet: cutPoints() })
  expect(results.quiet.map(({ turn, first, last }) => [turn, first, last])).toEqual(spans)
})
