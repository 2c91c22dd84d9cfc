/** How long tools took, as the times of their start and result say. */
import { expect, test } from 'vitest'
import { toolTimes } from '../../../src/core/projections/tool-times.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'

const START = 1_700_000_000_000

/** Seqs: the calls are 3 and 4, their results 5 and 6. */
const called = (): LogBuilder =>
  log().turn((turn) =>
    turn.step((step) =>
      step.assistant('').call('a', 'bash').call('b', 'read').result('b', 'x').result('a', 'y'),
    ),
  )

async function timesOf(built: LogBuilder): Promise<readonly number[]> {
  const { results } = await load(built, { times: toolTimes() })
  return [...results.times.values()]
}

test('parallel calls, each by itself', async () => {
  const built = called()
  const results = built.events().filter(({ type }) => type === 'tool/result')
  const calls = built.events().filter(({ type }) => type === 'tool/call')
  expect(results.length).toBe(2)
  const taken = await timesOf(built)
  expect(taken).toHaveLength(2)
  expect(taken[0]).toBe((results[0]?.time ?? 0) - (calls[1]?.time ?? 0))
  expect(taken[1]).toBe((results[1]?.time ?? 0) - (calls[0]?.time ?? 0))
})

test('a clock that goes back says nothing', async () => {
  const built = called()
  const [result] = built.events().filter(({ type }) => type === 'tool/result')
  built.edit(result?.seq ?? -1, (row) => ({ ...row, time: START - 5 }))
  expect(await timesOf(built)).toHaveLength(1)
})

test('a result without a recorded start', async () => {
  const built = log().turn((turn) => turn.step((step) => step.announce('a', 'bash').result('a', 'y')))
  expect(await timesOf(built)).toEqual([])
})
