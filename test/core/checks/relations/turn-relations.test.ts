/** Turns and steps of format 4 (format.md §7.3): where each rule is broken, and what comes close to it. */
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/core/json/json-value.ts'
import { brokenAt, type Entry, events } from '../../../support/broken-at.ts'
import { type LaterLog, later } from '../../../support/later-log.ts'

const turn = (turn: JsonValue): JsonObject => ({ turn })
const step = (step: JsonValue, turn: JsonValue = 1): JsonObject => ({ turn, step })
const open: readonly Entry[] = [
  ['turn/start', turn(1)],
  ['step/start', step(1)],
]

const IN_STEP = [
  'system/message',
  'developer/message',
  'assistant/attempt',
  'assistant/message',
  'tool/call',
  'tool/result',
  'step/end',
]
const IN_TURN = ['request/header', 'request/context', 'tool/ptc-dispatch-start', 'tool/ptc-dispatch']

const broken = (log: LaterLog): ReturnType<typeof brokenAt> =>
  brokenAt(['relation/turn', 'relation/step', 'relation/data'], log)
const append = { surfaceOp: 'append' }

test.each(IN_STEP)('%s belongs into the step that it names', async (type) => {
  expect(await broken(events([[type, step(1), append]]))).toEqual([0])
  expect(
    await broken(
      events([
        ['turn/start', turn(1)],
        [type, step(1), append],
      ]),
    ),
  ).toEqual([1])
  expect(
    await broken(
      events([
        ['turn/start', turn(1)],
        [type, turn(1), append],
      ]),
    ),
  ).toEqual([1])
  expect(
    await broken(
      events([
        ['step/start', { step: 1 }],
        [type, { step: 1 }, append],
      ]),
    ),
  ).toEqual([0, 1])
  expect(await broken(events([...open, [type, step(2), append]]))).toEqual([2])
  expect(await broken(events([...open, [type, step(1, 2), append]]))).toEqual([2])
  expect(await broken(events([...open, [type, step(1), append]]))).toEqual([])
})

test.each(IN_TURN)('%s belongs into a turn', async (type) => {
  expect(await broken(events([[type, {}]]))).toEqual([0])
  expect(
    await broken(
      events([
        ['turn/start', turn(1)],
        [type, {}],
      ]),
    ),
  ).toEqual([])
})

test.each([...IN_STEP, ...IN_TURN, 'turn/start', 'turn/end', 'step/start', 'user/message'])(
  '%s has an object as data',
  async (type) => {
    expect(await broken(events([[type, null]]))).toEqual([0])
  },
)

test.each<[at: number[], what: string, list: Entry[]]>([
  [
    [],
    'user messages and what plugins write',
    [
      ['user/message', {}],
      ['session/title', {}],
      ['plan/mode', null],
    ],
  ],
  [[0], 'a first turn 2', [['turn/start', turn(2)]]],
  [
    [1],
    'the same turn in itself',
    [
      ['turn/start', turn(1)],
      ['turn/start', turn(1)],
    ],
  ],
  [[0], 'an end without a turn', [['turn/end', {}]]],
  [
    [1],
    'the end of another turn',
    [
      ['turn/start', turn(1)],
      ['turn/end', turn(2)],
    ],
  ],
  [[2], 'the end of a turn in its step', [...open, ['turn/end', turn(1)]]],
  [
    [1],
    'turn 6 after an end of turn 5',
    [
      ['turn/start', turn(1)],
      ['turn/end', turn(5)],
      ['turn/start', turn(6)],
    ],
  ],
  [
    [1],
    'turn 2 after an end without number',
    [
      ['turn/start', turn(1)],
      ['turn/end', turn('1')],
      ['turn/start', turn(2)],
    ],
  ],
  [[0], 'a step without a turn', [['step/start', { step: 1 }]]],
  [
    [1],
    'a step of another turn',
    [
      ['turn/start', turn(1)],
      ['step/start', step(1, 2)],
    ],
  ],
  [[2], 'the same step in itself', [...open, ['step/start', step(1)]]],
  [
    [1],
    'a first step 2',
    [
      ['turn/start', turn(1)],
      ['step/start', step(2)],
    ],
  ],
  [[], 'steps in a row', [...open, ['tool/call', step(1)], ['step/end', step(1)], ['step/start', step(2)]]],
  [
    [],
    'a first step in each turn',
    [
      ...open,
      ['step/end', step(1)],
      ['turn/end', turn(1)],
      ['turn/start', turn(2)],
      ['step/start', step(1, 2)],
    ],
  ],
])('at %j: %s', async (at, _what, list) => {
  expect(await broken(events(list))).toEqual(at)
})

test('a rewritten result belongs into a turn, and into no step', async () => {
  const rewrite = (log: LaterLog): LaterLog =>
    log.event('tool/result', {}, { surfaceOp: log.replace(3), sourceEventSeqs: [3] })
  expect(await broken(rewrite(later().turn((t) => t.user('a').user('b').user('c'))))).toEqual([5])
  expect(await broken(later().openTurn((t) => rewrite(t.user('a').user('b').user('c'))))).toEqual([])
})
