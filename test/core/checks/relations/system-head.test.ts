/** The head of the surface (format.md §5.5, §7.3): where it is broken, and what follows it when it moves. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/core/json/json-value.ts'
import { brokenAt } from '../../../support/broken-at.ts'
import { type LaterLog, later } from '../../../support/later-log.ts'

const oneStep = (build: (step: LaterLog) => unknown): LaterLog => later().turn((t) => t.step(build))

test.each<[at: number[], what: string, log: LaterLog]>([
  [[], 'a surface that begins with it', oneStep((s) => s.system().user('hi'))],
  [[], 'more of them after it', oneStep((s) => s.system().user('hi').system('more'))],
  [[], 'the head rewritten', oneStep((s) => s.system().system('new', { op: s.replace(2), sources: [2] }))],
  [[3], 'one after a user message', oneStep((s) => s.user('hi').system())],
  [[3, 4], 'two after a user message', oneStep((s) => s.user('hi').system().system())],
  [
    [3],
    'one in the place of a user message',
    oneStep((s) => s.user('hi').system('x', { op: s.replace(2), sources: [2] })),
  ],
  [
    [3, 4],
    'one in the place of a user message, and another',
    oneStep((s) =>
      s
        .user('hi')
        .system('x', { op: s.replace(2), sources: [2] })
        .system(),
    ),
  ],
  [[], 'a surface without any', oneStep((s) => s.user('hi'))],
])('at %j: %s', async (at, _what, log) => {
  expect(await brokenAt('relation/system-head', log)).toEqual(at)
})

/** A compaction that announces to shadow one node. */
function shadowing(log: LaterLog, seq: number): LaterLog {
  const data: JsonObject = { shadowedRange: { start: seq, end: seq }, shadowedSeqs: [seq] }
  return log.event('compaction/prune', data)
}

test.each<[at: number[], what: string, log: LaterLog]>([
  [[3], 'the head', oneStep((s) => shadowing(s.system(), 2))],
  [
    [4],
    'the head that was rewritten',
    oneStep((s) => shadowing(s.system().system('new', { op: s.replace(2), sources: [2] }), 3)),
  ],
  [[], 'another system message', oneStep((s) => shadowing(s.system().system('more'), 3))],
  [
    [],
    'another system message that was rewritten',
    oneStep((s) =>
      shadowing(
        s
          .system()
          .system('more')
          .system('x', { op: s.replace(3), sources: [3] }),
        4,
      ),
    ),
  ],
  [[], 'a user message at the head', oneStep((s) => shadowing(s.user('hi'), 2))],
])('at %j: a compaction would shadow %s', async (at, _what, log) => {
  expect(await brokenAt('relation/compaction', log)).toEqual(at)
})
