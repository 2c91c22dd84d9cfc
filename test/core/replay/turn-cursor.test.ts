/** Which turn and step are open and which calls wait, event by event (format.md §6.1). */
import { expect, test } from 'vitest'
import { TurnCursor } from '../../../src/core/replay/turn-cursor.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'

function after(built: LogBuilder): TurnCursor {
  const cursor = new TurnCursor()
  for (const event of built.events()) cursor.advance(event)
  return cursor
}

const inStep = (build: (step: LogBuilder) => unknown): LogBuilder =>
  log().openTurn((turn) => turn.openStep((step) => build(step.assistant('x'))))

test.each<
  [name: string, log: LogBuilder, turn: number | undefined, step: number | undefined, waiting: string[]]
>([
  ['nothing', log(), undefined, undefined, []],
  ['a whole turn', base(), undefined, undefined, []],
  ['an open turn', log().openTurn(), 1, undefined, []],
  ['an open step', log().openTurn((turn) => turn.openStep()), 1, 1, []],
  ['a closed step', log().openTurn((turn) => turn.step()), 1, undefined, []],
  ['a waiting call', inStep((step) => step.call('a', 'bash')), 1, 1, ['a']],
  ['a call never started', inStep((step) => step.announce('a', 'bash')), 1, 1, ['a']],
  [
    'two calls, one answered',
    inStep((step) => step.call('a', 'x').call('b', 'y').result('a', '')),
    1,
    1,
    ['b'],
  ],
  ['a call no message announces', inStep((step) => step.event('tool/call', { callId: 'z' })), 1, 1, []],
  [
    'calls of a closed step',
    log().openTurn((t) => t.step((s) => s.assistant('').call('a', 'x'))),
    1,
    undefined,
    [],
  ],
  ['a turn start over an open turn', inStep((s) => s.call('a', 'x')).openTurn(), 2, undefined, []],
  ['a turn end without a start', log().event('turn/end', { turn: 1 }), undefined, undefined, []],
])('after %s', (_name, built, turn, step, waiting) => {
  const cursor = after(built)
  expect(cursor.openTurn).toBe(turn)
  expect(cursor.openStep).toBe(step)
  expect([...cursor.pending.keys()]).toEqual(waiting)
})

test('announcing an id again keeps its place and replaces its value', () => {
  const built = inStep((step) => step.call('a', 'old').call('b', 'y').assistant('').announce('a', 'new'))
  const pending = [...after(built).pending.values()]
  expect(pending.map(({ callId, name }) => [callId, name])).toEqual([
    ['a', 'new'],
    ['b', 'y'],
  ])
  expect(pending[0]?.startedAt).toBeUndefined()
  expect(pending[1]?.startedAt).toBe(4)
})

test('the change says what was answered, started, abandoned and announced again', () => {
  const built = inStep((step) => step.call('a', 'x').result('a', '').assistant('').announce('b', 'y'))
  built.assistant('').announce('b', 'y').event('step/end', { turn: 1, step: 1 })
  const cursor = new TurnCursor()
  const changes = built.events().map((event) => cursor.advance(event))
  expect(changes.map((change) => change.started?.callId)[3]).toBe('a')
  expect(changes.map((change) => change.answered?.callId)[4]).toBe('a')
  expect(changes[6]?.readvertised.map(({ advertisedAt }) => advertisedAt)).toEqual([5])
  expect(changes[7]?.abandoned.map(({ callId, advertisedAt }) => [callId, advertisedAt])).toEqual([['b', 6]])
})

test('a replacing result answers too, and a call in a replacement is marked as a copy', () => {
  const op = { op: 'replace', start: 2, end: 2 }
  const answered = inStep((step) => step.call('a', 'x').result('a', '', { op, sources: [2] }))
  expect([...after(answered).pending.keys()]).toEqual([])
  const copied = inStep((step) => step.assistant('again', { op, sources: [2] }).announce('a', 'x'))
  expect([...after(copied).pending.values()].map(({ copy }) => copy)).toEqual([true])
})
