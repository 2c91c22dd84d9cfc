/** Turns and steps (format.md §7.1): one rule broken at a time. */
import { expect, test } from 'vitest'
import type { FindingCode } from '../../../src/core/findings/rules.ts'
import { evidenceOf } from '../../support/broken-at.ts'
import { findingsOf } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { rich } from '../../support/sample-logs.ts'

const turn = (turn: number): { turn: number } => ({ turn })
const step = (step: number, turn = 1): { turn: number; step: number } => ({ turn, step })
const done = (turn: number) => ({ turn, reason: { kind: 'completed' } })

/** Events by type and place, from seq 0. */
function events(...list: [type: string, data: object][]): LogBuilder {
  const built = log()
  for (const [type, data] of list) built.event(type, data as never)
  return built
}

const open: [string, object][] = [
  ['turn/start', turn(1)],
  ['step/start', step(1)],
]
const close: [string, object][] = [
  ['step/end', step(1)],
  ['turn/end', done(1)],
]

test('a rich log breaks none', async () => {
  expect(await findingsOf(rich())).toEqual([])
})

test.each<[code: string, seq: number, log: LogBuilder]>([
  ['turn/open', 0, events(['turn/start', turn(1)])],
  ['turn/nested', 1, events(['turn/start', turn(1)], ['turn/start', turn(2)], ['turn/end', done(2)])],
  ['turn/number', 0, events(['turn/start', turn(2)], ['turn/end', done(2)])],
  ['turn/number', 0, events(['turn/start', { turn: '1' }], ['turn/end', done(1)])],
  [
    'turn/number',
    2,
    events(['turn/start', turn(1)], ['turn/end', done(1)], ['turn/start', turn(1)], ['turn/end', done(1)]),
  ],
  ['turn/end-mismatch', 1, events(['turn/start', turn(1)], ['turn/end', done(2)])],
  ['turn/end-mismatch', 0, events(['turn/end', done(1)])],
  ['turn/open-step', 2, events(...open, ['turn/end', done(1)])],
  ['turn/outside', 0, events(['todo/write', { todos: [] }])],
  ['turn/outside', 0, events(['request/context', { provider: 'p', model: 'm' }])],
  ['step/no-turn', 0, events(['step/start', step(1)])],
  [
    'step/no-turn',
    1,
    events(
      ['turn/start', turn(1)],
      ['step/start', step(1, 2)],
      ['step/end', step(1, 2)],
      ['turn/end', done(1)],
    ),
  ],
  ['step/nested', 2, events(...open, ['step/start', step(2)], ['step/end', step(2)], ['turn/end', done(1)])],
  [
    'step/number',
    1,
    events(['turn/start', turn(1)], ['step/start', step(2)], ['step/end', step(2)], ['turn/end', done(1)]),
  ],
  ['step/outside', 2, events(...open, ['assistant/chunk', step(2)], ...close)],
  [
    'step/outside',
    2,
    events(...open, ['tool/call', { ...step(1, 3), callId: 'a', name: 'x', arguments: '' }], ...close),
  ],
  ['step/outside', 1, events(['turn/start', turn(1)], ['step/end', step(1)], ['turn/end', done(1)])],
])('%s at seq %i', async (code, seq, built) => {
  expect(await findingsOf(built)).toContainEqual([code, seq])
})

test.each<[name: string, log: LogBuilder]>([
  ['a step that is empty', events(...open, ...close)],
  ['messages and markers outside turns', log().user('hi').event('session/end-seed')],
  ['plugin events outside turns', log().event('session/title', {}).event('plan/mode', {})],
  ['any reason of a turn end', log().turn(() => {}, { kind: 'unheard-of' })],
])('no finding for %s', async (_name, built) => {
  expect(await findingsOf(built)).toEqual([])
})

test.each<[code: FindingCode, evidence: unknown[], log: LogBuilder]>([
  ['turn/open', [0, { turn: 1, step: null }], events(['turn/start', turn(1)])],
  [
    'turn/open',
    [2, { turn: 2, step: 1 }],
    log()
      .turn()
      .openTurn((t) => t.openStep()),
  ],
  ['turn/nested', [1, { turn: 1, open: 1 }], events(['turn/start', turn(1)], ['turn/start', turn(1)])],
  ['turn/number', [0, { turn: 2, expected: 1 }], events(['turn/start', turn(2)])],
  ['turn/number', [0, { turn: null, expected: 1 }], events(['turn/start', {}])],
  [
    'turn/number',
    [2, { turn: 2, expected: 6 }],
    events(['turn/start', turn(1)], ['turn/end', done(5)], ['turn/start', turn(2)]),
  ],
  [
    'turn/number',
    [2, { turn: 9, expected: 2 }],
    events(['turn/start', turn(1)], ['turn/end', {}], ['turn/start', turn(9)]),
  ],
  ['turn/end-mismatch', [0, { turn: null, open: null }], events(['turn/end', {}])],
  ['turn/end-mismatch', [1, { turn: 2, open: 1 }], events(['turn/start', turn(1)], ['turn/end', done(2)])],
  ['turn/open-step', [2, { turn: 1, step: 1 }], events(...open, ['turn/end', done(1)])],
  ['turn/outside', [0, { type: 'todo/write' }], events(['todo/write', {}])],
  ['turn/outside', [0, { type: 'request/header' }], log().request()],
  ['step/no-turn', [0, { turn: null, open: null }], events(['step/start', { step: 1 }])],
  ['step/no-turn', [1, { turn: 2, open: 1 }], events(['turn/start', turn(1)], ['step/start', step(1, 2)])],
  ['step/nested', [2, { step: 1, open: 1 }], events(...open, ['step/start', step(1)])],
  [
    'step/number',
    [1, { turn: 1, step: 2, expected: 1 }],
    events(['turn/start', turn(1)], ['step/start', step(2)]),
  ],
  [
    'step/number',
    [4, { turn: 1, step: 3, expected: 2 }],
    events(...open, ['step/end', step(1)], ['plan/mode', {}], ['step/start', step(3)]),
  ],
  [
    'step/number',
    [3, { turn: 1, step: 9, expected: 2 }],
    events(...open, ['step/end', {}], ['step/start', step(9)]),
  ],
])('%s: %j', async (code, evidence, built) => {
  expect(await evidenceOf(code, built)).toEqual([evidence])
})

test.each(['step/end', 'assistant/chunk', 'assistant/message', 'tool/call', 'tool/result'])(
  '%s belongs into the step that it names',
  async (type) => {
    const outside = async (...list: Parameters<typeof events>): Promise<readonly unknown[]> => {
      const built = events(...list)
      const seq = list.length - 1
      return evidenceOf(
        'step/outside',
        built.edit(seq, (row) => ({ ...row, surfaceOp: 'append' })),
      )
    }
    const nowhere = { openTurn: null, openStep: null }
    expect(await outside([type, step(1)])).toEqual([[0, { type, turn: 1, step: 1, ...nowhere }]])
    expect(await outside(['turn/start', turn(1)], [type, turn(1)])).toHaveLength(1)
    expect(await outside(['step/start', { step: 1 }], [type, { step: 1 }])).toHaveLength(1)
    expect(await outside(...open, [type, step(2)])).toEqual([
      [2, { type, turn: 1, step: 2, openTurn: 1, openStep: 1 }],
    ])
    expect(await outside(...open, [type, step(1, 2)])).toHaveLength(1)
    expect(await outside(...open, [type, step(1)])).toEqual([])
  },
)

test('only the end of a step counts it', async () => {
  const list: [string, object][] = [
    ['turn/start', turn(1)],
    ['assistant/chunk', step(5)],
    ['step/start', step(1)],
  ]
  expect(await evidenceOf('step/number', events(...list))).toEqual([])
})

test('what belongs into a turn may stand between its steps', async () => {
  const built = log().turn((t) => t.event('todo/write', {}).request().event('request/context', {}))
  expect(await evidenceOf('turn/outside', built)).toEqual([])
})

test('a pruned result outside any turn is named', async () => {
  const built = log().turn((t) => t.step((s) => s.assistant('').call('a', 'x').result('a', 'long')))
  expect(await evidenceOf('turn/outside', built.prune(4))).toEqual([[8, { type: 'a rewritten tool/result' }]])
})

test.each<[name: string, place: object]>([
  ['called by a text', { turn: 'a' }],
  ['without a name', {}],
])('what is in a turn %s is in a turn', async (_name, place) => {
  const built = events(
    ['turn/start', place],
    ['step/start', { ...place, step: 1 }],
    ['todo/write', { todos: [] }],
    ['step/end', { ...place, step: 1 }],
    ['turn/end', { ...place, reason: { kind: 'completed' } }],
  )
  // The shape of the end is the only other thing that is wrong.
  const codes = (await findingsOf(built)).map(([code]) => code)
  expect(codes).toEqual(['turn/number', 'legacy/malformed'])
})
