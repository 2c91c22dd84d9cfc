/** Where the result of a call belongs that never got one. */
import { describe, expect, test } from 'vitest'
import { missingResults } from '../../../src/core/repair/missing-results.ts'
import { later } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich } from '../../support/sample-logs.ts'

type Found = [callId: string, before: number, afterNode: number, time: number]

async function missingIn(built: { bytes(): Buffer }): Promise<Found[]> {
  const { results } = await load(built.bytes(), { missing: missingResults() })
  return results.missing.map(({ call, before, afterNode, time }) => [
    call.callId,
    before,
    afterNode,
    time - START,
  ])
}

const START = 1_700_000_000_000

test.each<[name: string, log: LogBuilder, found: Found[]]>([
  ['a whole log', rich(), []],
  ['a call of the open step', base().openTurn((t) => t.openStep((s) => s.assistant('').call('a', 'x'))), []],
  [
    'a call of a closed step',
    log().openTurn((turn) => turn.step((step) => step.assistant('').call('a', 'x'))),
    [['a', 4, 2, 3]],
  ],
  [
    'a call that was only announced',
    log().turn((turn) => turn.step((step) => step.assistant('').announce('a', 'x'))),
    [['a', 3, 2, 2]],
  ],
  [
    'parallel calls, none answered',
    log().turn((turn) => turn.step((step) => step.assistant('').call('a', 'x').call('b', 'x'))),
    [
      ['a', 5, 2, 4],
      ['b', 5, 2, 4],
    ],
  ],
  [
    'parallel calls, the first answered',
    log().turn((turn) =>
      turn.step((step) => step.assistant('').call('a', 'x').call('b', 'x').result('a', '')),
    ),
    [['b', 6, 5, 5]],
  ],
  [
    'parallel calls, the second answered',
    log().turn((turn) =>
      turn.step((step) => step.assistant('').call('a', 'x').call('b', 'x').result('b', '')),
    ),
    [['a', 6, 5, 5]],
  ],
  [
    'a call whose step never ended before the turn did',
    log().turn((turn) => turn.openStep((step) => step.assistant('').call('a', 'x'))),
    [['a', 4, 2, 3]],
  ],
  [
    'a call whose turn never ended before the next began',
    log()
      .openTurn((turn) => turn.openStep((step) => step.assistant('').call('a', 'x')))
      .turn(),
    [['a', 4, 2, 3]],
  ],
  [
    'a call that a message comes after in the same step',
    log().turn((turn) =>
      turn.step((step) => step.assistant('').call('a', 'x').user('wait').event('plan/mode', {})),
    ),
    [['a', 4, 2, 3]],
  ],
  [
    'a call that is started after that message',
    log().turn((turn) =>
      turn.step((step) =>
        step
          .assistant('')
          .announce('a', 'x')
          .user('wait')
          .event('tool/call', { turn: 1, step: 1, callId: 'a', name: 'x', arguments: '{}' }),
      ),
    ),
    [['a', 5, 3, 4]],
  ],
  [
    'two answers in one step, each with a call',
    log().turn((turn) => turn.step((step) => step.assistant('').call('a', 'x').assistant('').call('b', 'x'))),
    [
      ['a', 4, 2, 3],
      ['b', 6, 4, 5],
    ],
  ],
  [
    'a call whose id the next answer announces again',
    log().turn((turn) =>
      turn.step((step) =>
        step.assistant('').call('a', 'x').assistant('').call('a', 'x').result('a', 'for the second'),
      ),
    ),
    [['a', 4, 2, 3]],
  ],
  [
    'an id that an answer announces twice',
    log().turn((turn) =>
      turn.step((step) => step.assistant('').call('a', 'x').call('a', 'x').result('a', '')),
    ),
    [],
  ],
  [
    'calls of two steps',
    log().turn((turn) =>
      turn
        .step((step) => step.assistant('').call('a', 'x'))
        .step((step) => step.assistant('').call('b', 'x')),
    ),
    [
      ['a', 4, 2, 3],
      ['b', 8, 6, 7],
    ],
  ],
])('%s', async (_name, built, found) => {
  expect(await missingIn(built)).toEqual(found)
})

test('in format 4 too, where a result must name its step', async () => {
  const built = later(4).turn((turn) =>
    turn
      .step((step) => step.assistant('', [{ id: 'a' }]).call('a'))
      .step((step) =>
        step
          .assistant('', [{ id: 'b' }])
          .call('b')
          .result('b'),
      ),
  )
  const { results } = await load(built.bytes(), { missing: missingResults() })
  expect(results.missing).toMatchObject([
    { call: { callId: 'a', turn: 1, step: 1, startedAt: 3 }, before: 4, afterNode: 2 },
  ])
})

test('a copy of a call is not missed', async () => {
  const built = base()
  // A replacement of the answer announces the call once more; it had its result.
  built.turn((turn) =>
    turn.step((step) =>
      step
        .assistant('again', { op: { op: 'replace', start: 4, end: 4 }, sources: [4] })
        .announce('c1', 'bash'),
    ),
  )
  expect(await missingIn(built)).toEqual([])
})

describe('a result that replacements come after', () => {
  // Turn 0, step 1, answer 2, calls 3 and 4, result 5 of the second call; the missing one comes after node 5.
  function answered(): LogBuilder {
    return log().turn((turn) =>
      turn.step((step) => step.assistant('').call('a', 'x').call('b', 'x').result('b', '')),
    )
  }

  test.each<[name: string, built: LogBuilder, place: object]>([
    ['is left alone', answered().checkpoint(2), { afterNode: 5 }],
    ['goes with its call', answered().checkpoint(2, 5), { afterNode: 5, shadowed: 'at-the-end' }],
    [
      'goes with the node before it',
      answered().checkpoint(2).user('next').checkpoint(8, 9),
      { afterNode: 5, shadowed: 'inside' },
    ],
    ['stays where a result is pruned', answered().prune(5), { afterNode: 9 }],
    [
      'goes with the pruned result',
      answered().prune(5).checkpoint(2, 9),
      { afterNode: 9, shadowed: 'at-the-end' },
    ],
  ])('%s', async (_name, built, place) => {
    const { results } = await load(built.bytes(), { missing: missingResults() })
    expect(results.missing.map(({ afterNode, shadowed }) => ({ afterNode, shadowed }))).toEqual([
      { shadowed: undefined, ...place },
    ])
  })
})
