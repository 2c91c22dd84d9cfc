import { expect, test } from 'vitest'
import { classification } from '../../../src/core/projections/classification.ts'
import { surfaceMessages, surfaceView } from '../../../src/core/projections/surface-view.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich, twoTurns } from '../../support/sample-logs.ts'

async function classesOf(built: LogBuilder) {
  const { results, end } = await load(built, { classes: classification() })
  return { counts: results.classes.counts, events: [...results.classes.events()], nodes: end.surface.nodes }
}

test.each<[name: string, log: LogBuilder, current: number[], shadowed: [seq: number, by: number][]]>([
  ['no events', log(), [], []],
  ['no replacement', base(), [1, 4, 6], []],
  [
    'a compaction',
    twoTurns().compaction(1, 6),
    [10, 12, 17],
    [
      [1, 17],
      [4, 17],
      [6, 17],
    ],
  ],
  ['a prune', base().prune(6), [1, 4, 10], [[6, 10]]],
  ['a refused replacement', base().checkpoint(1, 4, { sources: [1] }), [1, 4, 6], []],
])('%s', async (_name, built, current, shadowed) => {
  const { counts, events } = await classesOf(built)
  expect(events.filter((event) => event.class === 'current').map(({ seq }) => seq)).toEqual(current)
  const gone = events.filter((event) => event.class === 'shadowed')
  expect(gone.map(({ seq, replacedBy }) => [seq, replacedBy])).toEqual(shadowed)
  const logOnly = events.length - current.length - shadowed.length
  expect(counts).toEqual({ current: current.length, shadowed: shadowed.length, logOnly })
})

test('every event has one class, in log order, and current means on the surface', async () => {
  const built = rich()
  const { events, nodes } = await classesOf(built)
  expect(events.map(({ seq }) => seq)).toEqual([...Array(built.nextSeq).keys()])
  const current = events.filter((event) => event.class === 'current').map(({ seq }) => seq)
  expect(current).toEqual(nodes.toSorted((a, b) => a - b))
  for (const event of events) expect('replacedBy' in event).toBe(event.class === 'shadowed')
})

test('the turn is the one that is open, for its own end too', async () => {
  const { events } = await classesOf(twoTurns().user('between'))
  expect(events.map(({ turn }) => turn)).toEqual([...Array(9).fill(1), ...Array(6).fill(2), undefined])
})

test('the surface lists nodes with their origin, and every replacement with what it took', async () => {
  const built = twoTurns().compaction(1, 6)
  const { results } = await load(built, { surface: surfaceView(), messages: surfaceMessages() })
  const { nodes, replaceGeneration, replacements } = results.surface
  expect(nodes.map(({ seq, type, op }) => [seq, type, op])).toEqual([
    [17, 'user/message', { op: 'replace', start: 1, end: 6 }],
    [10, 'user/message', 'append'],
    [12, 'assistant/message', 'append'],
  ])
  expect(replaceGeneration).toBe(1)
  expect(replacements).toEqual([{ seq: 17, start: 1, end: 6, shadowed: [1, 4, 6] }])
  expect(results.messages.map(({ seq }) => seq)).toEqual([17, 10, 12])
})
