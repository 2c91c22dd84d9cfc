/** The inbox as DSH replays it on resume. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { evidenceOf } from '../../support/broken-at.ts'
import { type LaterLog, later } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'

const message = (id: string | undefined, text = `text of ${id}`): JsonObject => ({
  ...(id !== undefined && { id }),
  role: 'user',
  source: { kind: 'user' },
  content: [{ type: 'text', text }],
})

type Splice = readonly [
  start: unknown,
  removed: unknown,
  ids: readonly (string | undefined)[],
  target?: unknown,
]

function spliceOf([start, removedCount, ids, target = 'next-turn']: Splice): JsonObject {
  return { target, start, removedCount, inserted: ids.map((id) => message(id)) } as JsonObject
}

function inbox(...splices: readonly Splice[]): LogBuilder {
  const built = log()
  for (const splice of splices) built.event('agent/inbox/spliced', spliceOf(splice))
  return built
}

/** What is wrong with the inbox; that something waits is no fault. */
async function found(built: LogBuilder | LaterLog): Promise<readonly unknown[]> {
  const { list } = await load(built.bytes(), {})
  return list
    .filter(({ code }) => code.startsWith('inbox/') && code !== 'inbox/waiting')
    .map(({ code, seq, causedBy }) => [code.slice(6), seq, causedBy?.seq])
}

test.each<[name: string, log: LogBuilder]>([
  ['both lists', inbox([0, 0, ['a']], [0, 0, ['b'], 'next-step'], [0, 1, []], [0, 1, [], 'next-step'])],
  ['a message that is replaced by itself', inbox([0, 0, ['a', 'b']], [1, 1, ['b']])],
  ['an id that comes back after it was taken', inbox([0, 0, ['a']], [0, 1, []], [0, 0, ['a']])],
  ['messages of early builds, without ids', inbox([0, 0, [undefined, undefined]])],
  ['a splice that does nothing', inbox([0, 0, []])],
])('nothing to say about %s', async (_name, built) => {
  expect(await found(built)).toEqual([])
})

test.each<[name: string, log: LogBuilder, findings: unknown[]]>([
  ['another target', inbox([0, 0, ['a'], 'next-year']), [['out-of-range', 0, undefined]]],
  ['an id twice in one splice', inbox([0, 0, ['a', 'a']]), [['id-repeated', 0, undefined]]],
  [
    'an id that waits in the other list',
    inbox([0, 0, ['a']], [0, 0, ['a'], 'next-step']),
    [['id-repeated', 1, undefined]],
  ],
  [
    'what follows from the first',
    inbox([5, 0, ['a']], [7, 1, []]),
    [
      ['out-of-range', 0, undefined],
      ['out-of-range', 1, 0],
    ],
  ],
])('%s', async (_name, built, findings) => {
  expect(await found(built)).toEqual(findings)
})

test.each<[findings: [seq: number, length: number][], what: string, log: LogBuilder]>([
  [
    [],
    'in at both ends, out at once',
    inbox([0, 0, ['a']], [1, 0, ['b']], [0, 0, ['c']], [0, 3, []], [0, 0, ['a']]),
  ],
  [[], 'no more than its length', inbox([0, 0, ['a', 'b']], [2, 0, []], [0, 1, []], [1, undefined, []])],
  [[[1, 1]], 'in after the end', inbox([0, 0, ['a']], [2, 0, ['b']])],
  [[[1, 1]], 'out more than there is', inbox([0, 0, ['a']], [0, 2, []])],
  [[[0, 0]], 'a start below 0', inbox([-1, 0, []])],
  [[[0, 0]], 'a start of text', inbox(['0', 0, []])],
  [[[0, 0]], 'no start', inbox([undefined, 0, []])],
  [[[0, 0]], 'a count of text', inbox([0, 'all', []])],
  [[[0, 0]], 'a count below 0', inbox([0, -1, []])],
  [
    [
      [0, 0],
      [2, 2],
    ],
    'what was put in at a wrong place is there',
    inbox([1, 0, ['a', 'b']], [2, 0, []], [3, 0, []]),
  ],
  [[[1, 1]], 'what was there stays', inbox([0, 0, ['a']], [5, 0, ['b']], [2, 0, []])],
  [[[2, 1]], 'what was taken is gone', inbox([0, 0, ['a', 'b']], [0, 1, []], [2, 0, []])],
  [[[1, 0]], 'a list per target', inbox([0, 0, ['a']], [0, 1, [], 'next-step'])],
  [
    [
      [0, 0],
      [1, 0],
    ],
    'a list of no target is none',
    inbox([0, 0, ['a'], null], [0, 0, [], null]),
  ],
  [
    [
      [0, 0],
      [1, 0],
    ],
    'a text is no list',
    log()
      .event('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: 'abc' })
      .event('agent/inbox/spliced', spliceOf([1, 0, []])),
  ],
  [[], 'no object', log().event('agent/inbox/spliced', null).event('plan/mode', { start: 9 })],
])('%j: %s', async (findings, _what, built) => {
  const told = await evidenceOf('inbox/out-of-range', built)
  expect(told).toMatchObject(findings.map(([seq, length]) => [seq, { length }]))
  expect(told).toHaveLength(findings.length)
})

test('says what was asked for', async () => {
  const asked = { target: 'next-step', start: 3, removedCount: 0, length: 0 }
  expect(await evidenceOf('inbox/out-of-range', inbox([3, 0, [], 'next-step']))).toEqual([[0, asked]])
  const nothing = { target: null, start: null, removedCount: 0, length: 0 }
  expect(await evidenceOf('inbox/out-of-range', log().event('agent/inbox/spliced', {}))).toEqual([
    [0, nothing],
  ])
})

const marker = { inherited: true }
const splice = (built: LaterLog, ...values: Splice): LaterLog =>
  built.event('agent/inbox/spliced', spliceOf(values))

test('a fork of a later format may begin with the messages of its parent, or without', async () => {
  const forked = (): LaterLog =>
    splice(later(4).header({ isSeeded: true, parentSession: 'p' }), 0, 0, ['a']).event(
      'session/end-seed',
      marker,
    )
  expect(await found(splice(forked(), 0, 1, []))).toEqual([])
  expect(await found(splice(splice(forked(), 0, 0, ['b']), 0, 1, []))).toEqual([])
  expect(await found(splice(splice(forked(), 1, 0, ['b']), 2, 0, []))).toEqual([])
  expect(await found(splice(splice(forked(), 0, 1, []), 0, 1, []))).toEqual([['out-of-range', 3, undefined]])
})

test.each<[name: string, log: LogBuilder, waiting: unknown]>([
  ['nothing', inbox([0, 0, ['a', 'b']], [0, 2, []]), undefined],
  ['one that was put in again', inbox([0, 0, ['a']], [0, 1, []], [0, 0, ['a']]), [2, 'text of a', 0]],
  ['those of the next step first', inbox([0, 0, ['a']], [0, 0, ['b'], 'next-step']), [1, 'text of b', 1]],
  [
    'in an open turn that has begun',
    inbox([0, 0, ['a']]).openTurn((turn) => turn.openStep()),
    [0, 'text of a', 0],
  ],
  ['in a turn without a step, which is said of the turn', inbox([0, 0, ['a']]).openTurn(), undefined],
  ['a guess, after a splice that does not fit', inbox([0, 0, ['a']], [5, 1, []]), undefined],
])('what waits at the end: %s', async (_name, built, waiting) => {
  const { list } = await load(built, {})
  const finding = list.find(({ code }) => code === 'inbox/waiting')
  const { text, others } = (finding?.args ?? {}) as { text?: unknown; others?: unknown }
  expect(finding && [finding.seq, text, others]).toEqual(waiting)
})

async function stalled(built: LogBuilder): Promise<unknown> {
  const { list } = await load(built, {})
  const finding = list.find(({ code }) => code === 'inbox/stalled')
  return finding && [finding.seq, finding.args, finding.related]
}

test('a message that waits in an open turn without a step', async () => {
  const built = inbox([0, 0, ['a', 'b']]).openTurn()
  expect(await stalled(built)).toEqual([0, { text: 'text of a', others: 1, turn: 1 }, [1]])
})

test('a message that was taken and never came into the conversation', async () => {
  const built = inbox([0, 0, ['a']]).openTurn((turn) =>
    turn.event('agent/inbox/spliced', spliceOf([0, 1, []])),
  )
  expect(await stalled(built)).toEqual([0, { text: 'text of a', others: 0, turn: 1 }, [1]])
})

test('a message that was edited waits once', async () => {
  const built = inbox([0, 0, ['a', 'b']]).openTurn((turn) =>
    turn.event('agent/inbox/spliced', spliceOf([1, 1, ['b']])),
  )
  expect(await stalled(built)).toEqual([0, { text: 'text of a', others: 1, turn: 1 }, [1]])
})

test.each<[name: string, log: LogBuilder]>([
  ['no turn is open', inbox([0, 0, ['a']])],
  ['the turn has a step', inbox([0, 0, ['a']]).openTurn((turn) => turn.openStep())],
  ['nothing waits', log().openTurn()],
  [
    'the message was canceled',
    inbox([0, 0, ['a']]).openTurn((turn) =>
      turn.event('agent/inbox/spliced', { ...spliceOf([0, 1, []]), outcome: 'canceled' }),
    ),
  ],
  ['the message of an earlier turn was taken', inbox([0, 0, ['a']], [0, 1, []]).openTurn()],
])('not stalled: %s', async (_name, built) => {
  expect(await stalled(built)).toBeUndefined()
})

test('twenty thousand messages that were put in and taken one by one are gone', async () => {
  const count = 20_000
  const built = log()
  for (let index = 0; index < count; index++)
    built.event('agent/inbox/spliced', spliceOf([index, 0, [`m${index}`]]))
  for (let index = 0; index < count; index++) built.event('agent/inbox/spliced', spliceOf([0, 1, []]))
  built.event('agent/inbox/spliced', spliceOf([0, 1, []]))
  expect(await found(built)).toEqual([['out-of-range', 2 * count, undefined]])
})
