/** The life of a tool call in format 4 (format.md §7.3): announced, started, answered. */
import { expect, test } from 'vitest'
import { NOT_STARTED } from '../../../../src/core/event-types/closers.ts'
import type { JsonObject } from '../../../../src/core/json/json-value.ts'
import { brokenAt } from '../../../support/broken-at.ts'
import { type LaterLog, later, textBlock } from '../../../support/later-log.ts'

/** A step whose announcement of call `a` is at seq 2. */
const oneStep = (build: (step: LaterLog) => unknown): LaterLog =>
  later().turn((t) => t.step((s) => build(s.assistant('', [{ id: 'a' }]))))

test.each<[at: number[], what: string, log: LaterLog]>([
  [[], 'a call and its result', oneStep((s) => s.call('a').result('a'))],
  [
    [],
    'a result that is rewritten',
    oneStep((s) =>
      s
        .call('a')
        .result('a')
        .result('a', 'x', { op: s.replace(4), sources: [4] }),
    ),
  ],
  [[3], 'a call that nobody announced', oneStep((s) => s.call('b').call('a').result('a'))],
  [[4], 'a call that starts twice', oneStep((s) => s.call('a').call('a').result('a'))],
  [[3], 'a call by another name', oneStep((s) => s.call('a', 'read').result('a'))],
  [[3], 'a call with other arguments', oneStep((s) => s.call('a', 'bash', '{"x":1}').result('a'))],
  [[3], 'a result of no call', oneStep((s) => s.result('b').call('a').result('a'))],
  [[5], 'a second result', oneStep((s) => s.call('a').result('a').result('a'))],
  [[3], 'a result of a call that never started', oneStep((s) => s.result('a'))],
  [
    [3],
    'an announcement of what still waits',
    oneStep((s) =>
      s
        .assistant('', [{ id: 'a' }])
        .call('a')
        .result('a'),
    ),
  ],
  [[3], 'a step that ends before the result', oneStep(() => {})],
  [
    [3],
    'a turn that ends before the result',
    later().turn((t) => t.openStep((s) => s.assistant('', [{ id: 'a' }]))),
  ],
  [
    [],
    'a next turn before the result',
    later()
      .openTurn((t) => t.openStep((s) => s.assistant('', [{ id: 'a' }])))
      .openTurn(),
  ],
])('at %j: %s', async (at, _what, log) => {
  expect(await brokenAt(['relation/call', 'relation/result'], log)).toEqual(at)
})

/** The result that a recovery writes for a call that never started, at seq 3, with members changed. */
function recovery(
  message: JsonObject = {},
  data: JsonObject = {},
  callId = 'a',
  sources?: number[],
): LaterLog {
  const written = { id: `interrupted-tool-result-${callId}-3`, isError: true, ...message }
  const extra = { message: written, data: { error: NOT_STARTED.error, ...data }, ...(sources && { sources }) }
  return later().turn((t) =>
    t.step((s) => s.assistant('', [{ id: callId }]).result(callId, NOT_STARTED.text, extra)),
  )
}

test.each<[what: string, log: LaterLog]>([
  ['as DSH writes it', recovery()],
  ['of a call whose id has more than one line', recovery({}, {}, 'a\nb')],
  ['that names another seq', recovery({ id: 'interrupted-tool-result-a-120' })],
  ['that names seq 0', recovery({ id: 'interrupted-tool-result-a-0' })],
  [
    'of a fork, in any words',
    recovery({ id: 'forked-tool-result-a-3', content: [textBlock('other words')] }),
  ],
])('a recovery %s is no broken relation', async (_what, log) => {
  expect(await brokenAt(['relation/call', 'relation/result'], log)).toEqual([])
})

test.each<[what: string, log: LaterLog]>([
  ['in other words', recovery({ content: [textBlock('Not started.')] })],
  ['in two texts', recovery({ content: [textBlock(NOT_STARTED.text), textBlock('')] })],
  ['in no text', recovery({ content: [{ type: 'reasoning', text: NOT_STARTED.text }] })],
  ['without error', recovery({}, { error: null })],
  ['with another code', recovery({}, { error: { ...NOT_STARTED.error, code: 'X' } })],
  ['with another name', recovery({}, { error: { ...NOT_STARTED.error, name: 'X' } })],
  ['that is no error', recovery({ isError: false })],
  ['that cites something', recovery({}, {}, 'a', [2])],
  ['with an id of its own', recovery({ id: 'r3' })],
  ['with the id of another call', recovery({ id: 'interrupted-tool-result-b-3' })],
  ['with an id without seq', recovery({ id: 'interrupted-tool-result-a-' })],
  ['with an id of an odd seq', recovery({ id: 'interrupted-tool-result-a-03' })],
  ['with something before the id', recovery({ id: 'x-interrupted-tool-result-a-3' })],
  ['with something after the id', recovery({ id: 'interrupted-tool-result-a-3-x' })],
  ['with a fork in the middle of its id', recovery({ id: 'r-forked-tool-result-' })],
])('a recovery %s is', async (_what, log) => {
  expect(await brokenAt(['relation/call', 'relation/result'], log)).toEqual([3])
})
