import { expect, test } from 'vitest'
import { MOST_TURNS, turnSpans } from '../../../src/core/projections/turn-spans.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, crashed, rich } from '../../support/sample-logs.ts'

async function spansOf(built: LogBuilder) {
  return (await load(built, { spans: turnSpans() })).results.spans
}

const START = 1_700_000_000_000

test('where and when a turn was, how it ended, what it did', async () => {
  expect(await spansOf(base())).toEqual({
    turns: [
      {
        turn: 1,
        seq: 0,
        lastSeq: 8,
        time: START,
        lastTime: START + 8,
        outcome: 'completed',
        prompt: 'list files',
        steps: 1,
        calls: 1,
      },
    ],
    leftOut: 0,
  })
})

test('a turn is open when the log ends in it, or when the next one starts in it', async () => {
  expect((await spansOf(crashed())).turns.map(({ outcome }) => outcome)).toEqual(['completed', 'open'])
  const built = log()
    .openTurn()
    .turn(() => {}, { kind: 'aborted' })
  expect((await spansOf(built)).turns.map(({ outcome, lastSeq }) => [outcome, lastSeq])).toEqual([
    ['open', 0],
    ['aborted', 2],
  ])
})

test.each([[{ kind: '' }], [{}], [{ kind: 5 }]])('an end with the reason %j is an end', async (reason) => {
  expect((await spansOf(log().turn(() => {}, reason))).turns[0]?.outcome).toBe('ended')
})

test('tokens are summed per turn; what is outside of turns belongs to none', async () => {
  const usage = (inputTokens: number) => ({
    data: { usage: { inputTokens, outputTokens: 1, cacheReadTokens: 2 } },
  })
  const built = log()
    .assistant('outside', usage(1000))
    .turn((turn) => turn.step((step) => step.assistant('a', usage(10)).assistant('b', usage(20))))
    .turn()
  const { turns } = await spansOf(built)
  expect(turns.map(({ tokens }) => tokens)).toEqual([
    { input: 30, output: 2, cacheRead: 4, cacheWrite: 0 },
    undefined,
  ])
})

test('streamed deltas read as a run count as the events that they are', async () => {
  const built = rich()
  const { turns } = await spansOf(built)
  const starts = built
    .events()
    .filter(({ type }) => type === 'turn/start')
    .map(({ seq }) => seq)
  expect(turns.map(({ seq }) => seq)).toEqual(starts)
  expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4])
  const open = log().openTurn((turn) => turn.openStep((step) => step.packed(['a', 'b', 'c'])))
  expect((await spansOf(open)).turns[0]).toMatchObject({ lastSeq: 4, lastTime: START + 4 })
})

test('of very many turns the last stay', async () => {
  const built = log()
  for (let count = 0; count < MOST_TURNS + 3; count++) built.turn()
  const { turns, leftOut } = await spansOf(built)
  expect([turns.length, leftOut, turns[0]?.turn]).toEqual([MOST_TURNS, 3, 4])
})
