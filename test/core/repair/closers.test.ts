/** The closing events of an interrupted turn, to the letter of format.md §6.1. */
import { expect, test } from 'vitest'
import { interruptedTurnClosers } from '../../../src/core/repair/closers.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich } from '../../support/sample-logs.ts'

const UNKNOWN =
  'The tool call was interrupted after it was recorded, but no result was durably recorded. Its outcome is unknown. Decide whether to retry from the tool semantics: retry only if the operation is read-only or idempotent; if it may have side effects, first verify external state or ask the user. Do not retry blindly.'
const NOT_STARTED =
  'The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.'

const closersOf = (built: LogBuilder) => interruptedTurnClosers(built.events())

test.each<[name: string, log: LogBuilder]>([
  ['an empty log', log()],
  ['a closed turn', base()],
  ['a rich log', rich()],
  ['events outside turns', log().user('hi')],
])('%s needs none', (_name, built) => {
  expect(closersOf(built)).toEqual([])
})

test('calls in the order they were announced, then the step, then the turn, all at the last time', () => {
  const built = base().openTurn((turn) =>
    turn.openStep((step) =>
      step.assistant('').call('started', 'bash').announce('waiting', 'read').user('later', { kind: 'user' }),
    ),
  )
  const last = built.events().at(-1)
  const time = last?.time
  const result = (callId: string, seq: number, text: string, error: object) => ({
    turn: 2,
    step: 1,
    message: {
      id: `interrupted-tool-result-${callId}-${seq}`,
      role: 'user',
      source: { kind: 'tool', callId },
      content: [
        { type: 'tool-result', toolCallId: callId, isError: true, content: [{ type: 'text', text }] },
      ],
    },
    error,
  })
  const unknown = { name: 'ToolOutcomeUnknownError', code: 'TOOL_OUTCOME_UNKNOWN' }
  const notStarted = { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' }
  expect(last?.seq).toBe(13)
  expect(closersOf(built)).toEqual([
    {
      type: 'tool/result',
      seq: 14,
      time,
      data: result('started', 14, UNKNOWN, unknown),
      surfaceOp: 'append',
      sourceEventSeqs: [12],
    },
    {
      type: 'tool/result',
      seq: 15,
      time,
      data: result('waiting', 15, NOT_STARTED, notStarted),
      surfaceOp: 'append',
    },
    { type: 'step/end', seq: 16, time, data: { turn: 2, step: 1 } },
    { type: 'turn/end', seq: 17, time, data: { turn: 2, reason: { kind: 'interrupted' } } },
  ])
})

test.each<[name: string, log: LogBuilder, types: string[]]>([
  ['an open turn', log().openTurn(), ['turn/end']],
  ['an open step', log().openTurn((turn) => turn.openStep()), ['step/end', 'turn/end']],
  ['a closed step', log().openTurn((turn) => turn.step((s) => s.assistant('').call('a', 'x'))), ['turn/end']],
  [
    'chunks without an answer',
    log().openTurn((t) => t.openStep((s) => s.chunk('h'))),
    ['step/end', 'turn/end'],
  ],
])('%s', (_name, built, types) => {
  expect(closersOf(built).map(({ type }) => type)).toEqual(types)
})

test('a call announced in one step and closed in the next carries its own step', () => {
  const built = log().openTurn((turn) => {
    turn.openStep((step) => step.assistant('').call('a', 'x'))
    turn.openStep()
  })
  const [first, second] = closersOf(built)
  expect(first?.data).toMatchObject({ turn: 1, step: 1 })
  expect(second?.data).toEqual({ turn: 1, step: 2 })
})

test('the log with its closers needs none, and they are what a cut of them would give again', () => {
  const built = base().openTurn((turn) => turn.openStep((step) => step.assistant('').call('a', 'x')))
  const closers = closersOf(built)
  const closed = [...built.events(), ...closers]
  expect(interruptedTurnClosers(closed)).toEqual([])
  expect(interruptedTurnClosers(closed.slice(0, -1)).map(({ type, seq }) => [type, seq])).toEqual([
    ['turn/end', closers.at(-1)?.seq],
  ])
})
