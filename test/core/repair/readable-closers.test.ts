/** A compaction that a crash left open in a turn, and its end among the closers. */
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { openCompaction, withCompactionEnd } from '../../../src/core/repair/open-compaction.ts'
import { later } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'

const START: JsonObject = { compactionId: 'x', turn: 1 }

type Build = (turn: ReturnType<typeof later>) => unknown

test.each<[name: string, build: Build, open: JsonObject | undefined]>([
  ['none', () => {}, undefined],
  ['one', (turn) => turn.event('compaction/start', START), START],
  [
    'one that a command asked for',
    (t) => t.event('compaction/start', { ...START, sourceCommandId: 'c' }),
    { ...START, sourceCommandId: 'c' },
  ],
  [
    'one outside of turns',
    (turn) => turn.event('compaction/start', { compactionId: 'x', turn: null }),
    undefined,
  ],
  [
    'one that ended',
    (turn) => turn.event('compaction/start', START).event('compaction/end', START),
    undefined,
  ],
  ['one of a seed', (turn) => turn.event('compaction/start', START).event('session/end-seed', {}), undefined],
  [
    'the second',
    (turn) =>
      turn
        .event('compaction/start', START)
        .event('compaction/end', START)
        .event('compaction/start', { compactionId: 'y', turn: 1 }),
    { compactionId: 'y', turn: 1 },
  ],
])('%s', async (_name, build, open) => {
  const { results } = await load(later(4).openTurn(build).bytes(), { open: openCompaction() })
  expect(results.open).toEqual(open)
})

test('it ends in front of the turn', () => {
  const closers = [
    { type: 'step/end', seq: 7, time: 5, data: { turn: 1, step: 1 } },
    { type: 'turn/end', seq: 8, time: 5, data: { turn: 1 } },
  ]
  const ended = withCompactionEnd(closers, { ...START, sourceCommandId: 'c', other: 1 })
  expect(ended.map(({ type, seq, time }) => [type, seq, time])).toEqual([
    ['step/end', 7, 5],
    ['compaction/end', 8, 5],
    ['turn/end', 9, 5],
  ])
  const { error, ...data } = (ended[1] as SessionEvent).data as JsonObject
  expect(data).toEqual({ ...START, sourceCommandId: 'c' })
  expect(typeof error).toBe('string')
})

test('without closers or compaction nothing changes', () => {
  const closers = [{ type: 'turn/end', seq: 8, time: 5, data: { turn: 1 } }]
  expect(withCompactionEnd(closers, undefined)).toBe(closers)
  expect(withCompactionEnd([], START)).toEqual([])
})
