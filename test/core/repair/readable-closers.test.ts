/** A compaction that a crash left open in a turn, and its end among the closers. */
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { readableClosersAt } from '../../../src/core/repair/closers.ts'
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
  const { end } = await load(later(4).openTurn(build).bytes(), {})
  const closers = readableClosersAt(end.cursor, end.last?.event, end.dialect)
  const seq = (end.last?.event.seq ?? 0) + 1
  const ends = open === undefined ? ['turn/end'] : ['compaction/end', 'turn/end']
  expect(closers.map(({ type, seq }) => [type, seq])).toEqual(ends.map((type, index) => [type, seq + index]))
  if (open === undefined) return
  const { error, ...data } = (closers[0] as SessionEvent).data as JsonObject
  expect(data).toEqual(open)
  expect(typeof error).toBe('string')
})

test('it comes after the end of the step', async () => {
  const log = later(4).openTurn((turn) => turn.event('compaction/start', START).openStep(() => {}))
  const { end } = await load(log.bytes(), {})
  const types = readableClosersAt(end.cursor, end.last?.event, end.dialect).map(({ type }) => type)
  expect(types).toEqual(['step/end', 'compaction/end', 'turn/end'])
})

test('where no turn is open, nothing is closed', async () => {
  const { end } = await load(later(4).event('compaction/start', START).bytes(), {})
  expect(readableClosersAt(end.cursor, end.last?.event, end.dialect)).toEqual([])
})
