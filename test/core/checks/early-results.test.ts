/** Results before their calls, and ids that come back. */
import { expect, test } from 'vitest'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'

const oneStep = (build: (step: LogBuilder) => unknown): LogBuilder => log().turn((turn) => turn.step(build))

async function found(built: LogBuilder): Promise<readonly unknown[]> {
  const { list } = await load(built, {})
  return list
    .filter(({ code }) => code.startsWith('pair/') && !code.startsWith('pair/surface-'))
    .map(({ code, seq, related, causedBy }) => [code.slice(5), seq, related, causedBy?.code.slice(5)])
}

test('a call of a later step of the same turn', async () => {
  const built = log().turn((turn) =>
    turn
      .step((step) => step.result('a', 'x'))
      .step((step) => step.assistant('').announce('a', 'bash').announce('b', 'bash')),
  )
  expect(await found(built)).toEqual([
    ['result-early', 2, [5], undefined],
    ['result-missing', 5, [6], 'result-early'],
    ['result-missing', 5, [6], undefined],
  ])
})

test('a call that is answered once more', async () => {
  const built = oneStep((step) => step.result('a', 'x').assistant('').call('a', 'x').result('a', 'y'))
  expect(await found(built)).toEqual([['result-early', 2, [3], undefined]])
})

test('the call of another turn, before or after, is none', async () => {
  const call = (turn: LogBuilder): LogBuilder =>
    turn.step((step) => step.assistant('').call('a', 'x').result('a', ''))
  const lonely = (turn: LogBuilder): LogBuilder => turn.step((step) => step.result('a', 'x'))
  expect(await found(log().turn(lonely).turn(call))).toEqual([['call-missing', 2, undefined, undefined]])
  const after = await found(log().turn(call).turn(lonely))
  expect(after).toEqual([['call-missing', 9, undefined, undefined]])
})

test('a result without a call at the end of an open turn', async () => {
  const built = log().openTurn((turn) => turn.openStep((step) => step.result('a', 'x')))
  expect(await found(built)).toEqual([['call-missing', 2, undefined, undefined]])
})

test('more of them than are held are reported all the same', async () => {
  const built = oneStep((step) => {
    for (let index = 0; index < 1500; index++) step.result(`c${index}`, '')
    step.assistant('').announce('c0', 'x').announce('c1400', 'x')
  })
  const { findings } = await load(built, {})
  const counts = new Map(findings.counts().map(({ code, count }) => [code, count]))
  expect(counts.get('pair/result-early')).toBe(1)
  expect(counts.get('pair/call-missing')).toBe(1499)
})

async function reuses(built: LogBuilder): Promise<readonly unknown[]> {
  const { list } = await load(built, {})
  return list.filter(({ code }) => code === 'pair/id-reused').map(({ seq, args }) => [seq, args])
}

const call = (step: LogBuilder, id: string): LogBuilder => step.assistant('').call(id, 'x').result(id, '')

test('ids that come back, once a kind', async () => {
  const built = log()
    .turn((turn) => turn.step((step) => call(call(step, 'a'), 'a')))
    .turn((turn) => turn.step((step) => call(call(step, 'a'), 'b')))
    .turn((turn) => turn.step((step) => call(step, 'b')))
  expect(await reuses(built)).toEqual([
    [5, { callId: 'a', firstAt: 2, scope: 'the same turn', times: 1 }],
    [12, { callId: 'a', firstAt: 5, scope: 'a later turn', times: 2 }],
  ])
})

test.each<[name: string, log: LogBuilder]>([
  ['a compacted call', base().compaction(1, 6)],
  [
    'a copy of a call',
    base()
      .assistant('', { op: { op: 'replace', start: 4, end: 4 }, sources: [4] })
      .announce('c1', 'bash'),
  ],
  ['two calls of one message', oneStep((step) => step.assistant('').announce('a', 'x').announce('a', 'x'))],
  ['calls without id', oneStep((step) => call(step, '')).turn((turn) => turn.step((step) => call(step, '')))],
  [
    'a call that still waits',
    oneStep((step) => step.assistant('').call('a', 'x').assistant('').call('a', 'x')),
  ],
])('%s is no reuse', async (_name, built) => {
  expect(await reuses(built)).toEqual([])
})
