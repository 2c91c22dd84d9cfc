import { expect, test } from 'vitest'
import { statistics } from '../../../src/core/projections/statistics.ts'
import { load } from '../../support/load.ts'
import type { LogBuilder } from '../../support/log-builder.ts'
import { log } from '../../support/log-builder.ts'
import { rich } from '../../support/sample-logs.ts'

async function statisticsOf(built: LogBuilder) {
  return (await load(built, { statistics: statistics() })).results.statistics
}

test('counts turns, steps, tools, models, replacements and compactions', async () => {
  const built = rich()
  expect(await statisticsOf(built)).toMatchObject({
    events: built.nextSeq,
    turns: 4,
    steps: 5,
    tools: { bash: 2, read: 1 },
    models: ['m'],
    replacements: 3,
    compactions: [
      { hidden: 3, hiddenTokens: 30 },
      { hidden: 2, hiddenTokens: 20 },
    ],
  })
})

test('tokens of the inherited events are counted apart: inherited means seq < seedLength', async () => {
  const answer = (input: number) => ({ data: { usage: { inputTokens: input, outputTokens: 1 } } })
  const built = log()
    .header({ parentSession: 'p', seedLength: 2 })
    .assistant('a', answer(1))
    .assistant('b', answer(10))
    .assistant('c', answer(100))
  const { tokens, inheritedTokens } = await statisticsOf(built)
  expect([inheritedTokens.input, tokens.input]).toEqual([11, 100])
})

test('the last title wins, and an open turn is named', async () => {
  const title = (text: string) => ({ title: text, messageSeqs: [], source: { kind: 'user' } })
  const built = log().event('session/title', title('one')).event('session/title', title('two')).openTurn()
  expect(await statisticsOf(built)).toMatchObject({ title: 'two', openTurn: 1 })
})
