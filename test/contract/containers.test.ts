/** One log, one answer: wherever it is stored, resurface says the same about it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SessionEvent, SessionHeader } from '../../src/core/event/session-event.ts'
import type { JsonValue } from '../../src/core/json/json-value.ts'
import {
  answerOf,
  CONTAINERS,
  type ContainerName,
  readBack,
  TEXT_CONTAINERS,
  type WholeLog,
  wholeLog,
  written,
} from '../support/containers.ts'
import { runs } from '../support/effort.ts'
import { later, laterBase, textBlock } from '../support/later-log.ts'
import { type LogBuilder, log } from '../support/log-builder.ts'
import { base, rich, twoTurns } from '../support/sample-logs.ts'

const NAMES = Object.keys(CONTAINERS) as ContainerName[]
const TEXT_NAMES = Object.keys(TEXT_CONTAINERS) as (keyof typeof TEXT_CONTAINERS)[]

/** Deltas of three kinds in two steps, long enough to be packed, with odd times between them. */
function streamed(): LogBuilder {
  const built = log().openTurn((turn) => turn.user('go'))
  const deltas = (count: number, chunk: (n: number) => Record<string, JsonValue>): void => {
    for (let n = 0; n < count; n++)
      built.event('assistant/chunk', { turn: 1, step: 1, chunk: { index: 0, ...chunk(n) } })
  }
  built.openStep(() => {
    deltas(5, (n) => ({ type: 'reasoning-delta', text: `r${n}` }))
    deltas(4, (n) => ({ type: 'text-delta', text: n === 2 ? '' : `größe ${n}` }))
    deltas(3, (n) => ({ type: 'tool-call-delta', id: 'c1', name: 'bash', argumentsDelta: `${n}` }))
    deltas(2, (n) => ({ type: 'tool-call-delta', id: 'c1', argumentsDelta: `${n}` }))
    deltas(1, () => ({ type: 'text-delta', text: 'alone', extra: 1 }))
  })
  return built.edit(4, (row) => ({ ...row, time: -5 })).edit(7, (row) => ({ ...row, time: 0 }))
}

/** What may be stored and is wrong all the same. */
function wrong(): LogBuilder {
  return base()
    .event('plugin/odd', { a: 1 })
    .event('todo/write', { todos: [] }, { surfaceOp: 'append' })
    .user('again', { kind: '' })
    .user('nothing is there', undefined, { op: { op: 'replace', start: 77, end: 77 }, sources: [77] })
    .turn((turn) => turn.step((step) => step.assistant('').call('c9', 'bash')))
    .event('llm/retry', null)
}

const LARGE = 'A long line, larger than a page of a database. '.repeat(300)

const SAMPLES: Readonly<Record<string, () => LogBuilder>> = {
  'header alone': () => log(),
  'one turn': base,
  'everything a log may hold': rich,
  'streamed deltas': streamed,
  'a crash inside a step': () =>
    log().openTurn((turn) => turn.openStep((step) => step.assistant('').call('a', 'x').announce('b', 'y'))),
  'wrong in many ways': wrong,
  'long values': () => base().user(LARGE).event('plugin/x', [LARGE, LARGE]),
  'a header with every field': () =>
    twoTurns().header({
      cwd: '/srv/größe',
      parentSession: 'p',
      seedLength: 3,
      origin: 'subagent',
      delegationDepth: 2,
      agentPreset: '',
    }),
  'a header with no field': () => base().header({ cwd: undefined }),
}

describe.each(Object.entries(SAMPLES))('%s', (_name, build) => {
  test.each(NAMES)('%s', async (name) => {
    const whole = await wholeLog(build().bytes())
    const wanted = await answerOf(await written('plain', whole))
    expect(wanted.events).toHaveLength(whole.events.length)
    const path = await written(name, whole)
    expect(await readBack(path)).toEqual(whole)
    expect(await answerOf(path)).toEqual(wanted)
  })
})

describe.each([
  ['format 1, with packed rows', () => rich().header({ version: 1 })],
  ['format 2', () => laterBase(2)],
  ['format 3', () => laterBase(3)],
  ['format 4', () => laterBase(4)],
  ['a compaction of format 4', () => laterBase().compaction('x', [3, 5, 7])],
  [
    'format 4, wrong',
    () =>
      laterBase()
        .developer([textBlock('?')])
        .event('step/end', {}),
  ],
  ['format 4, cut off', () => later().openTurn((turn) => turn.openStep((step) => step.system()))],
] as const)('%s', (_name, build) => {
  test.each(TEXT_NAMES)('%s', async (name) => {
    const whole = await wholeLog(build().bytes())
    const wanted = await answerOf(await written('plain', whole))
    const path = await written(name, whole)
    expect(await readBack(path)).toEqual(whole)
    expect(await answerOf(path)).toEqual(wanted)
  })
})

// Random logs --------------------------------------------------------------------------------------------------------

const text = fc.oneof(
  fc.constantFrom(
    '',
    '\u0000',
    '\u2028',
    '\ufeff',
    '\r\n',
    '"\\',
    '\ud83d',
    'größe 🚀',
    '__proto__',
    'toString',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 20 }),
)

const { value: payload } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(null, true, false, -1, 1e21, -1e-7, 5e-324, Number.MAX_VALUE, 2 ** 53, -(2 ** 53) - 2),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.integer(),
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(text, tie('value')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries) as JsonValue),
  ),
}))

const TYPES = [
  'plan/mode',
  'session/title',
  'todo/write',
  'goal/change',
  'hook/result',
  'user/message',
  'plugin/x',
]

const delta = fc
  .record({
    kind: fc.constantFrom('text-delta', 'reasoning-delta'),
    text,
    count: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ kind, text: said, count }) =>
    Array.from({ length: count }, () => ({
      type: 'assistant/chunk',
      data: { turn: 1, step: 1, chunk: { type: kind, index: 0, text: said } },
    })),
  )

const plainEvent = fc
  .record({
    type: fc.constantFrom(...TYPES),
    data: payload,
    surfaceOp: fc.option(
      fc.constantFrom<JsonValue>('append', { op: 'replace', start: 0, end: 0 }, {}, [], 'other'),
      { nil: undefined },
    ),
  })
  .map(({ surfaceOp, ...event }) => [surfaceOp === undefined ? event : { ...event, surfaceOp }])

const randomLog: fc.Arbitrary<WholeLog> = fc
  .record({
    cwd: fc.option(
      fc.string({ maxLength: 9 }).map((name) => `/${name}`),
      { nil: undefined },
    ),
    parts: fc.array(fc.oneof(plainEvent, delta), { maxLength: 12 }),
    times: fc.array(fc.oneof(fc.integer(), fc.maxSafeInteger()), { minLength: 60, maxLength: 60 }),
    sources: fc.array(fc.option(fc.array(fc.nat(500), { maxLength: 5 }), { nil: undefined }), {
      minLength: 60,
      maxLength: 60,
    }),
  })
  .map(({ cwd, parts, times, sources }) => {
    const events = parts.flat().map((part, seq) => {
      const cites = part.type === 'user/message' ? sources[seq] : undefined
      const time = (times[seq] ?? 0) || 0
      return { seq, time, ...part, ...(cites && { sourceEventSeqs: cites }) } as SessionEvent
    })
    const header: SessionHeader = { type: 'session', version: 0, id: 'r', createdAt: 1, delegationDepth: 0 }
    return { header: cwd === undefined ? header : { ...header, cwd }, events }
  })

describe('random logs come back equal', () => {
  test.each(NAMES)('%s', async (name) => {
    await fc.assert(
      fc.asyncProperty(randomLog, async (whole) => {
        expect(await readBack(await written(name, whole))).toEqual(whole)
      }),
      { numRuns: runs(name.startsWith('SQLite') ? 40 : 80) },
    )
  })
})

test.each(TEXT_NAMES)('-0 stays -0 in %s', async (name) => {
  const events = [{ type: 'plan/mode', seq: 0, time: 1, data: { list: [-0, 0, '-0'] } }] as SessionEvent[]
  const whole = { ...(await wholeLog(log().bytes())), events }
  expect(await readBack(await written(name, whole))).toEqual(whole)
})
