/** Calls and results: in the log, on the surface, and which finding follows from which. */
import { describe, expect, test } from 'vitest'
import type { FindingCode } from '../../../src/core/findings/rules.ts'
import { evidenceOf } from '../../support/broken-at.ts'
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

const waiting = (build: (step: LogBuilder) => unknown = () => {}): LogBuilder =>
  log().openTurn((t) => t.openStep((s) => build(s.assistant('').call('a', 'x'))))

test.each<[code: FindingCode, evidence: unknown[], log: LogBuilder]>([
  [
    'pair/result-missing',
    [2, { callId: 'a', name: 'x', closedBy: 'step/end', closedAt: 4 }, [4]],
    oneStep((s) => s.assistant('').call('a', 'x')),
  ],
  [
    'pair/result-missing',
    [2, { callId: 'a', name: 'x', closedBy: 'turn/end', closedAt: 4 }, [4]],
    waiting().event('turn/end', { turn: 1 }),
  ],
  [
    'pair/result-missing',
    [2, { callId: 'a', name: 'x', closedBy: 'next turn', closedAt: 4 }, [4]],
    waiting().turn(),
  ],
  [
    'pair/result-missing',
    [0, { callId: 'a', name: 'x', closedBy: 'end of the log', closedAt: 0 }, []],
    log().assistant('').announce('a', 'x'),
  ],
  ['pair/result-pending', [2, { callId: 'a', name: 'x', startedAt: 3 }, []], waiting()],
  [
    'pair/result-pending',
    [1, { callId: 'a', name: 'x', startedAt: null }, []],
    log().openTurn((t) => t.assistant('').announce('a', 'x')),
  ],
  [
    'pair/unclosable',
    [2, { callId: '', name: 'x' }, []],
    log().openTurn((t) => t.openStep((s) => s.assistant('').announce('', 'x'))),
  ],
  [
    'pair/id-repeated',
    [4, { callId: 'a', firstAt: 2 }, [2]],
    waiting((s) => s.assistant('').announce('a', 'x')),
  ],
  ['pair/id-empty', [0, { member: 'id', callId: '' }], log().assistant('').announce('', 'x')],
  ['pair/id-empty', [0, { member: 'name', callId: 'a' }], log().assistant('').announce('a', '')],
  ['pair/arguments-broken', [0, { callId: 'a', name: 'x' }], log().assistant('').announce('a', 'x', '{')],
  [
    'pair/arguments-differ',
    [1, { callId: 'a', member: 'name', advertisedAt: 0 }, [0]],
    log().assistant('').announce('a', 'x').event('tool/call', { callId: 'a', name: 'y', arguments: '{}' }),
  ],
  [
    'pair/arguments-differ',
    [1, { callId: 'a', member: 'arguments', advertisedAt: 0 }, [0]],
    log().assistant('').announce('a', 'x').event('tool/call', { callId: 'a', name: 'x', arguments: '' }),
  ],
  ['pair/call-unrecorded', [1, { callId: 'a' }], log().assistant('').announce('a', 'x').result('a', '')],
  ['pair/call-missing', [0, { callId: 'a' }], log().result('a', '')],
  [
    'pair/result-repeated',
    [5, { callId: 'a', firstAt: 4 }, [4]],
    waiting((s) => s.result('a', '1').result('a', '2')),
  ],
  [
    'pair/surface-interrupted',
    [4, { callId: 'a', callAt: 2 }, [2, 6]],
    waiting((s) => s.user('one').user('two').result('a', '')),
  ],
  ['pair/surface-call-alone', [4, { callId: 'c1', takenBy: 11 }, [11]], base().compaction(6)],
  ['pair/surface-result-alone', [6, { callId: 'c1', takenBy: 11 }, [11]], base().compaction(1, 4)],
  [
    'pair/surface-call-alone',
    [2, { callId: 'a', takenBy: null }],
    oneStep((s) => s.assistant('').call('a', 'x')),
  ],
  ['pair/surface-result-alone', [0, { callId: 'a', takenBy: null }], log().result('a', '')],
])('%s: %j', async (code, evidence, built) => {
  expect(await evidenceOf(code, built)).toEqual([evidence])
})

describe('results that were answered before', () => {
  test('a result in the next turn answers nothing, and repeats nothing', async () => {
    const built = base().turn((t) => t.step((s) => s.result('c1', 'again')))
    expect(await pairs(built)).toContainEqual(['pair/call-missing', 11])
  })

  test('nor does one of a call that was announced anew', async () => {
    const built = log().turn((t) => {
      t.step((s) => s.assistant('').call('a', 'x').result('a', '').assistant('').announce('a', 'x'))
      t.step((s) => s.result('a', ''))
    })
    expect(await pairs(built)).toContainEqual(['pair/call-missing', 8])
  })

  test('a rewrite of a result is no result', async () => {
    const built = oneStep((s) => s.assistant('').call('a', 'x').result('a', 'long').prune(4).result('a', ''))
    expect(await evidenceOf('pair/result-repeated', built)).toEqual([[7, { callId: 'a', firstAt: 4 }, [4]]])
  })
})

test('an error of another kind does not excuse a call that was never recorded', async () => {
  const error = { name: 'E', code: 'TOOL_OUTCOME_UNKNOWN' }
  const built = oneStep((s) => s.assistant('').announce('a', 'x').result('a', '', { data: { error } }))
  expect(await pairs(built)).toEqual([['pair/call-unrecorded', 3]])
})

describe('a half that a rule of the surface refused', () => {
  const unmarked = (seq: number): LogBuilder => base().edit(seq, (row) => ({ ...row, surfaceOp: null }))

  test('is why the other half is alone', async () => {
    expect(await pairs(unmarked(6))).toEqual([['pair/surface-call-alone', 4, 'surface/op-invalid']])
    expect(await pairs(unmarked(4))).toEqual([['pair/surface-result-alone', 6, 'surface/op-invalid']])
  })

  test('is not why another call does', async () => {
    const built = unmarked(6).turn((t) => t.step((s) => s.assistant('').call('b', 'x')))
    expect(await pairs(built)).toContainEqual(['pair/surface-call-alone', 11, 'pair/result-missing'])
  })
})

describe('a copy of a call that nobody answers', () => {
  const copy = (built: LogBuilder): LogBuilder =>
    built.assistant('again', { ...replace(4), sources: [4] }).announce('c1', 'bash')
  const missing = async (built: LogBuilder): Promise<unknown[]> =>
    (await pairs(built)).filter((finding) => /result-(?:missing|pending)/.test(String(finding)))

  test('misses nothing when its turn is over', async () => {
    expect(await missing(copy(base()).turn())).toEqual([])
  })

  test('waits like any other while a turn is open', async () => {
    expect(await missing(copy(base().openTurn()))).toEqual([['pair/result-pending', 10]])
  })
})

describe('an id that comes back before its result', () => {
  test('leaves the first call alone on the surface', async () => {
    const built = oneStep((s) => s.assistant('').call('a', 'x')).openTurn((t) =>
      t.openStep((s) => s.assistant('').call('a', 'x')),
    )
    const alone = ['pair/surface-call-alone', 2, 'pair/result-missing']
    expect((await pairs(built)).filter((finding) => String(finding).includes('alone'))).toEqual([alone])
    expect(await pairs(built.result('a', ''))).toContainEqual(alone)
  })

  test('in one message, too', async () => {
    const built = oneStep((s) => s.assistant('').call('a', 'x').announce('a', 'x').result('a', ''))
    expect(await pairs(built)).toEqual([
      ['pair/id-repeated', 2],
      ['pair/surface-call-alone', 2, 'pair/id-repeated'],
    ])
  })

  test('in one message, without any result: the call is alone once', async () => {
    const built = oneStep((s) => s.assistant('').call('a', 'x').announce('a', 'x'))
    expect(await pairs(built)).toEqual([
      ['pair/id-repeated', 2],
      ['pair/result-missing', 2],
      ['pair/surface-call-alone', 2, 'pair/result-missing'],
    ])
  })

  test('in one message, with as many results: none is alone', async () => {
    const built = oneStep((s) =>
      s.assistant('').call('a', 'x').announce('a', 'x').result('a', '').result('a', ''),
    )
    expect(await pairs(built)).toEqual([
      ['pair/id-repeated', 2],
      ['pair/result-repeated', 5],
    ])
  })

  test('in one message that waits in an open turn', async () => {
    const built = log().openTurn((t) => t.openStep((s) => s.assistant('').call('a', 'x').announce('a', 'x')))
    expect(await pairs(built)).toEqual([
      ['pair/id-repeated', 2],
      ['pair/result-pending', 2],
    ])
  })
})

test('the finding points at the message that announced the call', async () => {
  const { list } = await load(
    oneStep((s) => s.assistant('').call('a', 'x')),
    {},
  )
  expect(list[0]).toMatchObject({ code: 'pair/result-missing', seq: 2, origin: { line: 4 }, related: [4] })
})
