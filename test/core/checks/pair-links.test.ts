/** What replacements do to pairs: seen where it happened, and worse when it still is so at the end. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'

const oneStep = (build: (step: LogBuilder) => unknown): LogBuilder => log().turn((turn) => turn.step(build))
const replace = (start: number, end = start) => ({ op: { op: 'replace', start, end } })

/** Every finding about the surface, with what it says. */
async function surfacePairs(built: LogBuilder): Promise<readonly unknown[]> {
  const { list } = await load(built, {})
  return list
    .filter(({ code }) => code.startsWith('pair/surface-'))
    .map(({ code, seq, args, related }) => {
      const { lacks, takenBy }: JsonObject = args
      return [code.slice(13), seq, lacks ?? takenBy, related]
    })
}

test('a call that was taken, until its result goes too', async () => {
  const built = base().compaction(1, 4)
  expect(await surfacePairs(built)).toEqual([['result-alone', 6, 11, [11]]])
  expect(await surfacePairs(built.compaction(11, 6))).toEqual([['split', 11, 'call', [4, 6]]])
})

test('a result that was taken, until its call goes too', async () => {
  const built = base().compaction(6)
  expect(await surfacePairs(built)).toEqual([['call-alone', 4, 11, [11]]])
  expect(await surfacePairs(built.compaction(4, 11))).toEqual([['split', 11, 'result', [4, 6]]])
})

test('a lonely result that is pruned is as lonely as before', async () => {
  const built = base().compaction(1, 4)
  const pruned = built.openTurn((turn) => turn.openStep((step) => step.prune(6)))
  expect(await surfacePairs(pruned)).toEqual([['result-alone', 16, 11, [11]]])
  pruned
    .event('step/end', { turn: 2, step: 1 })
    .event('turn/end', { turn: 2, reason: { kind: 'completed' } })
    .compaction(11, 16)
  expect(await surfacePairs(pruned)).toEqual([['split', 11, 'call', [4, 6]]])
})

test('a copy of the call that comes back before its result', async () => {
  const built = base().compaction(1, 4)
  const mended = built.assistant('again', { ...replace(11), sources: [11] }).announce('c1', 'bash')
  expect(await surfacePairs(mended)).toEqual([['split', 11, 'call', [4, 6]]])
})

test('a copy of the call that takes the place of the call splits nothing', async () => {
  const built = base()
    .assistant('again', { ...replace(4), sources: [4] })
    .announce('c1', 'bash')
  expect(await surfacePairs(built)).toEqual([])
  expect(await surfacePairs(built.compaction(1, 6))).toEqual([])
})

test('a copy without the call splits', async () => {
  const built = base().assistant('again', { ...replace(4), sources: [4] })
  expect(await surfacePairs(built)).toEqual([['result-alone', 6, 9, [9]]])
})

test('a message that takes a result and is before the next', async () => {
  const built = oneStep((s) => s.assistant('').call('a', 'x').call('b', 'x').result('a', '').result('b', ''))
  built.compaction(5)
  expect(await surfacePairs(built)).toEqual([
    ['call-alone', 2, 11, [11]],
    ['interrupted', 11, undefined, [2, 6]],
  ])
  expect(await surfacePairs(built.compaction(2, 6))).toEqual([
    ['split', 11, 'result', [2, 5]],
    ['split', 11, 'order', [2, 6]],
  ])
})

test('a message that stood between call and result before is not made to stand there by its replacement', async () => {
  const built = oneStep((s) => s.assistant('').call('a', 'x').user('wait').result('a', ''))
  built.compaction(4)
  expect(await surfacePairs(built)).toEqual([['interrupted', 10, undefined, [2, 5]]])
  expect(await surfacePairs(built.compaction(2, 5))).toEqual([])
})

test('a compaction that takes a waiting call leaves its result alone when that comes', async () => {
  const built = log().turn((turn) =>
    turn.user('go').step((step) => {
      step.assistant('').call('a', 'x')
      step.checkpoint(1, 3).result('a', 'late')
    }),
  )
  expect(await surfacePairs(built)).toEqual([['result-alone', 6, 5, [5]]])
  expect(await surfacePairs(built.compaction(5, 6))).toEqual([['split', 5, 'call', [3, 6]]])
})

test('a compaction that takes a waiting call of a turn that never goes on has split nothing', async () => {
  const built = log().openTurn((turn) =>
    turn.user('go').openStep((step) => {
      step.assistant('').call('a', 'x')
      step.checkpoint(1, 3)
    }),
  )
  expect(await surfacePairs(built)).toEqual([])
})

test('a result that comes once more after it was taken mends the call', async () => {
  const built = oneStep((s) => {
    s.assistant('').call('a', 'x').result('a', '1')
    s.checkpoint(4).result('a', '2')
  })
  const codes = await surfacePairs(built)
  expect(codes).toContainEqual(['split', 5, 'result', [2, 4]])
})

test('ids that come back are pairs of their own', async () => {
  const turn = (built: LogBuilder): LogBuilder =>
    built.turn((t) => t.step((s) => s.assistant('').call('c1', 'x').result('c1', '')))
  const built = turn(turn(log()))
  expect(await surfacePairs(built)).toEqual([])
  // The first call loses its result; that of the second does not take its place.
  expect(await surfacePairs(built.compaction(4))).toEqual([['call-alone', 2, 16, [16]]])
})

test('many calls of one message, taken result by result', async () => {
  const count = 2000
  const ids = Array.from({ length: count }, (_, index) => `c${index}`)
  const built = oneStep((step) => {
    step.assistant('')
    for (const id of ids) step.announce(id, 'x')
    for (const id of ids) step.result(id, '', { data: { error: { name: 'E', code: 'TOOL_NOT_STARTED' } } })
  })
  for (let index = 0; index < count; index++) built.checkpoint(3 + index)
  const { findings } = await load(built, {})
  const counted = findings.counts().find(({ code }) => code === 'pair/surface-call-alone')
  expect(counted?.count).toBe(count)
})
