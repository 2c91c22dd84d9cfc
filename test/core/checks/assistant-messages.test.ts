/** One answer a step, of chunks of that step. */
import { expect, test } from 'vitest'
import { laterBase } from '../../support/later-log.ts'
import { findingsOf } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { rich } from '../../support/sample-logs.ts'

const inStep = (build: (step: LogBuilder) => unknown): LogBuilder => log().turn((turn) => turn.step(build))

test.each<[name: string, log: { bytes(): Buffer }]>([
  ['a rich log', rich()],
  [
    'an answer in each of two steps',
    log().turn((turn) => turn.step((s) => s.assistant('a')).step((s) => s.assistant('b'))),
  ],
  [
    'steps of the same number in two turns',
    inStep((s) => s.assistant('a')).turn((turn) => turn.step((s) => s.assistant('b'))),
  ],
  [
    'a copy that replaces an answer',
    inStep((s) => s.assistant('a').assistant('b', { op: { op: 'replace', start: 2, end: 2 }, sources: [2] })),
  ],
  ['an answer that cites nothing', inStep((s) => s.assistant('a', { sources: [] }))],
  ['an answer that cites its step start', inStep((s) => s.assistant('a', { sources: [1] }))],
])('nothing to say about %s', async (_name, built) => {
  expect(await findingsOf(built.bytes())).toEqual([])
})

test('every further answer of a step', async () => {
  const built = inStep((step) => step.assistant('a').assistant('b').assistant('c'))
  expect(await findingsOf(built)).toEqual([
    ['step/settled-twice', 3],
    ['step/settled-twice', 4],
  ])
})

test('an answer that cites its turn', async () => {
  expect(await findingsOf(inStep((step) => step.assistant('a', { sources: [0] })))).toEqual([
    ['step/foreign-sources', 2],
  ])
})

test('format 4 has rules of its own', async () => {
  const built = laterBase(4).turn((turn) => turn.step((step) => step.assistant('a').assistant('b')))
  expect(await findingsOf(built.bytes())).toEqual([])
})
