/** What a chain of migrations refuses, and at which step of it. */
import { expect, test } from 'vitest'
import { releaseVerdicts } from '../../../src/core/compatibility/compatibility.ts'
import { migrationFacts } from '../../../src/core/compatibility/migration-facts.ts'
import { NOT_STARTED } from '../../../src/core/event-types/closers.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { later, laterBase } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'

/** Release → why it refuses the log; releases that open it are left out. */
async function refusals(built: { bytes(): Buffer }): Promise<Readonly<Record<string, readonly string[]>>> {
  const { header, findings, results } = await load(built.bytes(), { facts: migrationFacts() })
  const verdicts = releaseVerdicts(header?.version, findings.counts(), results.facts)
  const refused = verdicts.filter(({ opens }) => !opens)
  return Object.fromEntries(
    refused.map(({ release, reasons }) => [
      release,
      reasons.map(({ what, count }) => (count === 1 ? what : `${what} (${count})`)),
    ]),
  )
}

const inStep = (build: (step: LogBuilder) => unknown): LogBuilder => log().turn((turn) => turn.step(build))
const every =
  (...releases: readonly string[]) =>
  (...reasons: readonly string[]) =>
    Object.fromEntries(releases.map((release) => [release, reasons]))
const from2 = every('format-2', 'format-3', 'format-4')
const from3 = every('format-3', 'format-4')

test('a log that every release opens', async () => {
  expect(await refusals(inStep((step) => step.user('a').request().assistant('b')))).toEqual({})
  expect(await refusals(laterBase(3))).toEqual({
    '0.1.0': ['format 3 is newer'],
    '0.1.1': ['format 3 is newer'],
    '0.1.2': ['format 3 is newer'],
    'format-2': ['format 3 is newer'],
  })
})

test('members are counted by kind', async () => {
  const built = inStep((step) => step.user('a'))
  for (let index = 0; index < 3; index++)
    built.event('permission/preset', { preset: 'ask', origin: 'default', more: 1 })
  const reasons = ['member origin of permission/preset (3)', 'member more of permission/preset (3)']
  expect(await refusals(built)).toEqual({ 'format-2': reasons, 'format-3': reasons, 'format-4': reasons })
})

test.each<[name: string, log: LogBuilder, refused: object]>([
  [
    'a descriptor of 0.1.1',
    inStep(() => {}).event('subagent/descriptor', { version: 2, mode: 'one-shot', provider: 'x' }),
    from2('version of subagent/descriptor must be 3, not 2'),
  ],
  [
    'a message before the first step',
    log().turn((turn) => turn.user('a').step()),
    from3('user/message is a message before the first step'),
  ],
  [
    'a source on no list',
    inStep((step) => step.user('a', { kind: 'automation' })),
    from3('message source automation'),
  ],
  [
    'a source on no list that waits in the inbox',
    inStep(() => {}).event('agent/inbox/spliced', {
      target: 'next-turn',
      start: 0,
      inserted: [{ id: 'a', role: 'user', source: { kind: 'automation' }, content: [] }],
    }),
    from3('message source automation'),
  ],
  [
    'an empty name of a call',
    inStep((step) => step.assistant('').call('a', '').result('a', '')),
    every(
      'format-2',
      'format-3',
      'format-4',
    )('name of a tool-call block must not be empty', 'name of tool/call must not be empty'),
  ],
  [
    'a call that no message announces',
    inStep((step) => step.event('tool/call', { turn: 1, step: 1, callId: 'a', name: 'x', arguments: '' })),
    from2('tool/call starts a tool call that no answer of the step announces'),
  ],
  [
    'a command that was never run',
    inStep(() => {}).event('command/done', { commandId: 'a', kind: 'success' }),
    from2('command/done ends a command that was not run'),
  ],
  [
    'an error that is not marked as one',
    inStep((step) =>
      step
        .assistant('')
        .call('a', 'x')
        .result('a', '', { data: { error: { name: 'E', code: 'E' } } }),
    ),
    from3('data.error of tool/result needs a result that is marked as an error'),
  ],
  [
    'an upload mark of a later format',
    inStep(() => {}).event('session-log-deepseek/delivery-accepted', {
      sessionId: 's',
      throughSeq: 0,
      sessionFormatVersion: 4,
    }),
    {
      '0.1.0': ['vocabulary/newer-type'],
      '0.1.1': ['vocabulary/newer-type'],
      // Format 0 has no such member, and its migration takes none along.
      'format-2': ['member sessionFormatVersion of session-log-deepseek/delivery-accepted'],
      'format-3': ['member sessionFormatVersion of session-log-deepseek/delivery-accepted'],
      'format-4': [
        'member sessionFormatVersion of session-log-deepseek/delivery-accepted',
        'data.sessionFormatVersion of session-log-deepseek/delivery-accepted is an upload mark of format 4',
      ],
    },
  ],
])('%s', async (_name, built, refused) => {
  expect(await refusals(built)).toEqual(refused)
})

test('the system prompt may change inside a step, and nowhere else', async () => {
  const header = (system: string): JsonObject => ({
    header: { config: { provider: 'p', model: 'm' }, system },
    reason: 'change',
  })
  const built = (place: 'inside' | 'outside'): LogBuilder =>
    log().turn((turn) => {
      turn.step((step) => step.event('request/header', header('one')))
      if (place === 'outside') turn.event('request/header', header('two'))
      turn.step((step) => step.event('request/header', header('two')))
    })
  expect(await refusals(built('inside'))).toEqual({})
  expect(await refusals(built('outside'))).toEqual(
    from3('request/header changes the system prompt outside a step'),
  )
})

const wrong = from2(
  'sourceEventSeqs of assistant/message must name exactly the streamed chunks of the answer, in order',
)
const missing = from2(
  'sourceEventSeqs of assistant/message is missing: the answer must cite its streamed chunks',
)

test.each<[name: string, sources: readonly number[] | undefined, refused: object]>([
  ['cites exactly its chunks', [2, 3, 4], {}],
  ['says that its stream is empty', [], {}],
  ['cites some of them', [2, 3], wrong],
  ['cites them in another order', [3, 2, 4], wrong],
  ['cites nothing', undefined, missing],
])('an answer that %s', async (_name, sources, refused) => {
  const built = inStep((step) =>
    step
      .chunk('a')
      .chunk('b')
      .chunk('c')
      .assistant('abc', { ...(sources && { sources }) }),
  )
  expect(await refusals(built)).toEqual(refused)
})

test('chunks of an attempt that was given up belong to no answer', async () => {
  const built = inStep((step) => {
    step
      .chunk('a')
      .event('llm/retry', { retryId: 'r', turn: 1, step: 1, provider: 'p', policyKey: 'k', retry: 1 })
    step.chunk('b').assistant('b', { sources: [4] })
  })
  const { 'format-2': reasons = [] } = await refusals(built)
  expect(reasons.join()).not.toMatch(/streamed chunks/)
})

test('a fork whose cut goes through an answer', async () => {
  const built = (seedLength: number): LogBuilder =>
    inStep((step) =>
      step
        .chunk('a')
        .chunk('b')
        .assistant('ab', { sources: [2, 3] }),
    ).header({
      parentSession: 'p',
      seedLength,
    })
  expect(await refusals(built(3))).toEqual(
    from2(
      'assistant/chunk belongs to an answer that is only partly inherited',
      'assistant/message belongs to an answer that is only partly inherited',
    ),
  )
  expect(await refusals(built(2))).toEqual({})
  expect(await refusals(built(5))).toEqual({})
})

const notStarted = (step: LogBuilder): LogBuilder =>
  step
    .assistant('', { sources: [] })
    .announce('a', 'x')
    .result('a', NOT_STARTED.text, { isError: true, data: { error: NOT_STARTED.error } })

const closing = (built: LogBuilder, seq: number, number = seq): LogBuilder =>
  built.edit(seq, (row) => {
    Object.assign((row.data as { message: object }).message, { id: `interrupted-tool-result-a-${number}` })
    return row
  })

test('a closing result after a stream keeps a number that format 2 minds', async () => {
  expect(await refusals(closing(inStep(notStarted), 3))).toEqual({})
  const after = inStep((step) => notStarted(step.chunk('a').assistant('a', { sources: [2] })))
  expect(await refusals(closing(after, 5))).toEqual({
    'format-2': ['data.message.id of tool/result does not name its place'],
  })
  expect(await refusals(inStep(notStarted))).toEqual({
    'format-2': ['data.message.id of tool/result does not name its place'],
    ...from3('data.message.id of tool/result must be interrupted-tool-result-CALL-NUMBER'),
  })
})

test('a turn that starts over an open one right after its message is mended on the way', async () => {
  const message = { id: 'u9', role: 'user', source: { kind: 'user' }, content: [] }
  const splice = { target: 'next-turn', start: 0, inserted: [message] }
  const restarted = log()
    .openTurn((turn) => turn.step())
    .event('agent/inbox/spliced', splice)
    .turn()
  expect(await refusals(restarted)).toEqual({})
  const nested = log()
    .openTurn((turn) => turn.step())
    .turn()
  expect(await refusals(nested)).toEqual(from2('turn/start starts a turn while another one is open'))
})

test('a seed marker that says it is not inherited blocks the way from format 2 to 3', async () => {
  const { 'format-3': reasons } = await refusals(later(2).event('session/end-seed', { inherited: false }))
  expect(reasons).toEqual(['inherited of session/end-seed must be true'])
})

test('kinds without end are counted together', async () => {
  const built = inStep(() => {})
  for (let index = 0; index < 200; index++) built.event('plan/mode', { active: true, [`m${index}`]: 1 })
  const { 'format-2': reasons = [] } = await refusals(built)
  expect(reasons.length).toBeLessThanOrEqual(60)
  expect(reasons.at(-1)).toMatch(/^and other kinds/)
})
