/** Turns and steps. DSH opens all of these; later formats and its invariant checks are stricter. */
import type { FindingCode } from '../../../src/core/findings/rules.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'
import { at, type Case, clean, mended } from '../case.ts'

const turn = (turn: number): JsonObject => ({ turn })
const step = (step: number, turn = 1): JsonObject => ({ turn, step })
const done = (turn: number): JsonObject => ({ turn, reason: { kind: 'completed' } })

function events(...list: readonly (readonly [type: string, data: JsonObject])[]): LogBuilder {
  const built = log()
  for (const [type, data] of list) built.event(type, data)
  return built
}

function broken(name: string, code: FindingCode, seq: number, why: string, built: LogBuilder): Case {
  return { name, why, log: built, findings: [at(code, seq)], ...mended }
}

export const cases: readonly Case[] = [
  broken('turn-open', 'turn/open', 0, 'The process ended; DSH closes the turn on resume.', log().openTurn()),
  broken(
    'turn-in-a-turn',
    'turn/nested',
    1,
    'The first turn was never closed.',
    events(['turn/start', turn(1)], ['turn/start', turn(2)], ['turn/end', done(2)]),
  ),
  broken(
    'turn-number-left-out',
    'turn/number',
    9,
    'Turn 2 follows turn 1.',
    base().event('turn/start', turn(3)).event('turn/end', done(3)),
  ),
  {
    name: 'three-turns',
    why: 'One after another, numbered from 1; steps are numbered anew in each.',
    log: log()
      .turn((t) => t.step().step())
      .turn((t) => t.step())
      .turn(),
    findings: [],
    ...clean,
    nearMissOf: [
      'turn/number',
      'turn/nested',
      'turn/end-mismatch',
      'turn/open-step',
      'step/number',
      'step/nested',
    ],
  },
  broken(
    'turn-end-of-another-turn',
    'turn/end-mismatch',
    1,
    'Another number than the open turn.',
    events(['turn/start', turn(1)], ['turn/end', done(2)]),
  ),
  broken('turn-end-alone', 'turn/end-mismatch', 0, 'DSH accepts it.', events(['turn/end', done(1)])),
  broken(
    'turn-ends-in-a-step',
    'turn/open-step',
    2,
    'The step was never closed.',
    events(['turn/start', turn(1)], ['step/start', step(1)], ['turn/end', done(1)]),
  ),
  broken(
    'todo-outside-a-turn',
    'turn/outside',
    9,
    'It belongs into a turn.',
    base().event('todo/write', { todos: [] }),
  ),
  {
    name: 'title-outside-a-turn',
    why: 'Plugin events, user messages and seed markers may be anywhere.',
    log: base().event('session/title', { title: 't' }).user('hi').event('session/end-seed'),
    findings: [],
    ...clean,
    nearMissOf: ['turn/outside', 'step/outside'],
  },
  broken(
    'step-of-another-turn',
    'step/no-turn',
    1,
    'The step names a turn that is not open.',
    events(['turn/start', turn(1)], ['step/start', step(1, 2)], ['step/end', step(1)], ['turn/end', done(1)]),
  ),
  broken(
    'step-in-a-step',
    'step/nested',
    2,
    'The first step was never closed.',
    events(
      ['turn/start', turn(1)],
      ['step/start', step(1)],
      ['step/start', step(2)],
      ['step/end', step(2)],
      ['turn/end', done(1)],
    ),
  ),
  broken(
    'step-number-left-out',
    'step/number',
    1,
    'Steps are counted from 1.',
    events(['turn/start', turn(1)], ['step/start', step(2)], ['step/end', step(2)], ['turn/end', done(1)]),
  ),
  broken(
    'chunk-of-another-step',
    'step/outside',
    2,
    'The chunk names a step that is not open.',
    events(
      ['turn/start', turn(1)],
      ['step/start', step(1)],
      ['assistant/chunk', step(2)],
      ['step/end', step(1)],
      ['turn/end', done(1)],
    ),
  ),
  {
    name: 'message-before-the-first-step',
    why: 'Older logs put the user message between turn and step.',
    log: log().turn((t) => t.user('hi').step()),
    findings: [],
    ...clean,
    nearMissOf: ['step/outside', 'step/no-turn'],
  },
  {
    name: 'stalled',
    why: 'A turn was accepted and nothing followed: no damage.',
    log: base().event('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [] }).openTurn(),
    findings: [at('turn/open', 10)],
    ...mended,
  },
  {
    name: 'step-with-two-answers',
    why: 'The log opens; anyone who compacts or counts tokens takes the step for settled with the first.',
    log: log().turn((turn) => turn.step((step) => step.assistant('one').assistant('two'))),
    findings: [at('step/settled-twice', 3)],
    ...mended,
    nearMissOf: ['step/foreign-sources'],
  },
  {
    name: 'answer-made-of-chunks-of-another-step',
    why: 'An answer is made of the chunks of its own step.',
    log: log().turn((turn) => {
      turn.step((step) => step.chunk('a').assistant('a', { sources: [2] }))
      turn.step((step) => step.chunk('b').assistant('b', { sources: [2, 6] }))
    }),
    findings: [at('step/foreign-sources', 7)],
    ...mended,
    nearMissOf: ['step/settled-twice'],
  },
  {
    name: 'open-turn-without-a-number',
    why: 'DSH closes a turn under whatever name the log gives it, and the call that waits in it.',
    log: log()
      .event('turn/start', { turn: {} } as never)
      .assistant('')
      .call('c1', 'bash'),
    findings: [
      at('turn/number', 0),
      at('turn/open', 0),
      at('step/outside', 1),
      at('pair/result-pending', 1),
      at('step/outside', 2),
    ],
    ...mended,
  },
]
