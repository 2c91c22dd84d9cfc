/** Calls and results: in the log, on the surface, and which finding follows from which. */
import { describe, expect, test } from 'vitest'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'

async function pairs(built: LogBuilder): Promise<readonly unknown[]> {
  const { list } = await load(built, {})
  return list
    .filter(({ code }) => code.startsWith('pair/') && code !== 'pair/id-reused')
    .map(({ code, seq, causedBy }) => (causedBy === undefined ? [code, seq] : [code, seq, causedBy.code]))
}

const oneStep = (build: (step: LogBuilder) => unknown): LogBuilder => log().turn((turn) => turn.step(build))
const replace = (start: number, end = start) => ({ op: { op: 'replace', start, end } })

test.each<[name: string, log: LogBuilder]>([
  ['a call with its result', base()],
  [
    'parallel calls',
    oneStep((s) => s.assistant('').call('a', 'x').call('b', 'y').result('a', '').result('b', '')),
  ],
  [
    'results in another order',
    oneStep((s) => s.assistant('').call('a', 'x').call('b', 'y').result('b', '').result('a', '')),
  ],
  [
    'an id that comes back in a later turn',
    base().turn((t) => t.step((s) => s.assistant('').call('c1', 'bash').result('c1', ''))),
  ],
  [
    'an id that comes back after its result',
    oneStep((s) =>
      s.assistant('').call('a', 'x').result('a', '').assistant('').call('a', 'x').result('a', ''),
    ),
  ],
  ['a compacted pair', base().compaction(4, 6)],
  ['a pruned result', base().openTurn((turn) => turn.openStep((step) => step.prune(6)))],
  [
    'a result for a call never started',
    oneStep((s) =>
      s
        .assistant('')
        .announce('a', 'x')
        .result('a', '', { isError: true, data: { error: { name: 'E', code: 'TOOL_NOT_STARTED' } } }),
    ),
  ],
])('nothing to say about %s', async (_name, built) => {
  expect(await pairs(built)).toEqual([])
})

test.each<[name: string, log: LogBuilder, findings: unknown[]]>([
  [
    'a call without a result in a closed step',
    oneStep((s) => s.assistant('').call('a', 'x')),
    [
      ['pair/result-missing', 2],
      ['pair/surface-call-alone', 2, 'pair/result-missing'],
    ],
  ],
  [
    'one of three parallel calls without a result',
    oneStep((s) =>
      s.assistant('').call('a', 'x').call('b', 'y').call('c', 'z').result('a', '').result('c', ''),
    ),
    [
      ['pair/result-missing', 2],
      ['pair/surface-call-alone', 2, 'pair/result-missing'],
    ],
  ],
  [
    'a call of the open turn',
    log().openTurn((t) => t.openStep((s) => s.assistant('').call('a', 'x'))),
    [['pair/result-pending', 2]],
  ],
  [
    'a call over which the next turn starts',
    log()
      .openTurn((t) => t.openStep((s) => s.assistant('').call('a', 'x')))
      .turn(),
    [
      ['pair/result-missing', 2],
      ['pair/surface-call-alone', 2, 'pair/result-missing'],
    ],
  ],
  [
    'a result without a call',
    oneStep((s) => s.result('ghost', '')),
    [
      ['pair/call-missing', 2],
      ['pair/surface-result-alone', 2, 'pair/call-missing'],
    ],
  ],
  [
    'a second result',
    oneStep((s) => s.assistant('').call('a', 'x').result('a', '1').result('a', '2')),
    [
      ['pair/result-repeated', 5],
      ['pair/surface-result-alone', 5],
    ],
  ],
  [
    'the same id in a later turn without a result',
    base().turn((t) => t.step((s) => s.assistant('').call('c1', 'bash'))),
    [
      ['pair/result-missing', 11],
      ['pair/surface-call-alone', 11, 'pair/result-missing'],
    ],
  ],
  [
    'an id announced again while it waits',
    oneStep((s) => s.assistant('').call('a', 'x').assistant('').call('a', 'x').result('a', '')),
    [['pair/id-repeated', 4]],
  ],
  [
    'a user message between call and result',
    oneStep((s) => s.assistant('').call('a', 'x').user('wait').result('a', '')),
    [['pair/surface-interrupted', 4]],
  ],
  ['a compaction that takes the call only', base().compaction(1, 4), [['pair/surface-result-alone', 6]]],
  ['a compaction that takes the result only', base().compaction(6), [['pair/surface-call-alone', 4]]],
  [
    'a compaction that cuts a parallel batch',
    oneStep((s) => s.assistant('').call('a', 'x').call('b', 'y').result('a', '').result('b', '')).compaction(
      2,
      5,
    ),
    [['pair/surface-result-alone', 6]],
  ],
  [
    'another name and other arguments than announced',
    oneStep((s) =>
      s
        .assistant('')
        .announce('a', 'x')
        .event('tool/call', { turn: 1, step: 1, callId: 'a', name: 'y', arguments: '{"a":1}' })
        .result('a', ''),
    ),
    [
      ['pair/arguments-differ', 3],
      ['pair/arguments-differ', 3],
    ],
  ],
  ['an empty name', oneStep((s) => s.assistant('').call('a', '').result('a', '')), [['pair/id-empty', 2]]],
])('%s', async (_name, built, findings) => {
  const found = await pairs(built)
  for (const finding of findings) expect(found).toContainEqual(finding)
})

describe('a copy of an answered call that a replacement announces', () => {
  test('is no new call', async () => {
    const built = base()
      .assistant('again', { ...replace(4), sources: [4] })
      .announce('c1', 'bash')
    expect(await pairs(built)).toEqual([])
  })
})

test('the finding points at the message that announced the call', async () => {
  const { list } = await load(
    oneStep((s) => s.assistant('').call('a', 'x')),
    {},
  )
  expect(list[0]).toMatchObject({ code: 'pair/result-missing', seq: 2, origin: { line: 4 }, related: [4] })
})
