/** What formats 3 and 4 change in the rules of the surface: unknown events, rewrites, and the protected head (§5.5). */
import { describe, expect, test } from 'vitest'
import { dialectOf } from '../../../src/core/dialect/dialect.ts'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value.ts'
import { SurfaceManager } from '../../../src/core/surface/surface-manager.ts'

type Candidate = readonly [type: string, members: object, data?: JsonValue]

const append = { surfaceOp: 'append' }
const replace = (startSeq: number, endSeq = startSeq, sourceEventSeqs = [startSeq]): JsonObject => ({
  surfaceOp: { op: 'replace', startSeq, endSeq },
  sourceEventSeqs,
})

/** What becomes of the last of these events, when all before it are accepted. */
function judge(version: 3 | 4, list: readonly Candidate[]): string {
  const manager = new SurfaceManager(dialectOf(version))
  let answer = ''
  for (const [seq, [type, members, data = {}]] of list.entries()) {
    expect(answer).not.toMatch('/')
    const event = { type, seq, time: 0, data, ...members } as SessionEvent
    const plan = manager.plan(event)
    answer = plan.kind === 'violation' ? plan.code : plan.kind
    if (plan.kind !== 'violation') manager.commit(event, plan)
  }
  return answer
}

describe.each([3, 4] as const)('format %i', (version) => {
  test.each<[answer: string, what: string, event: Candidate]>([
    [
      'log-only',
      'an unknown ignorable event with surface members',
      ['acme/x', { ...replace(9), ignorable: true }],
    ],
    ['surface/op-on-log-only', 'an unknown event on the surface', ['acme/x', append]],
    [
      'surface/op-on-log-only',
      'a known ignorable event on the surface',
      ['plan/mode', { ...append, ignorable: true }],
    ],
    ['surface/sources-on-log-only', 'an unknown event with sources', ['acme/x', { sourceEventSeqs: [0] }]],
    ['append', 'a system message', ['system/message', append]],
    [
      'surface/sources-embedded',
      'an answer that cites',
      ['assistant/message', { ...append, sourceEventSeqs: [0] }],
    ],
    ['surface/sources-empty', 'a message from nothing', ['user/message', { ...append, sourceEventSeqs: [] }]],
  ])('%s: %s', (answer, _what, event) => {
    expect(judge(version, [['turn/start', {}], event])).toBe(answer)
  })

  const system: Candidate = ['system/message', append]
  const user: Candidate = ['user/message', append]

  test.each<[answer: string, what: string, list: Candidate[]]>([
    ['replace', 'a system prompt by a system prompt', [system, user, ['system/message', replace(0)]]],
    ['surface/head-protected', 'a system prompt by a message', [system, user, ['user/message', replace(0)]]],
    [
      'surface/head-protected',
      'a system prompt and more by a system prompt',
      [system, user, ['system/message', replace(0, 1, [0, 1])]],
    ],
    ['replace', 'a system prompt that is not the head', [system, system, ['user/message', replace(1)]]],
    ['replace', 'a message at the head', [user, user, ['user/message', replace(0)]]],
    [
      'surface/head-protected',
      'a new system prompt by a message',
      [system, ['system/message', replace(0)], ['user/message', replace(1)]],
    ],
  ])('%s: %s', (answer, _what, list) => {
    expect(judge(version, list)).toBe(answer)
  })
})

describe('a result of format 4 may be rewritten in its content', () => {
  const data = { turn: 1, message: { id: 'r', role: 'tool', toolCallId: 'c', content: ['long'] } }
  const rewritten = (change: JsonObject, more: JsonObject = {}): JsonObject => ({
    ...data,
    message: { ...data.message, ...change },
    ...more,
  })

  test.each<[answer: string, what: string, data: JsonObject]>([
    ['replace', 'nothing', data],
    ['replace', 'the content', rewritten({ content: ['short', 'er'] })],
    ['surface/rewrite-changes-more', 'the call', rewritten({ toolCallId: 'd' })],
    ['surface/rewrite-changes-more', 'the role', rewritten({ role: 'user' })],
    ['surface/rewrite-changes-more', 'the turn', rewritten({}, { turn: 2 })],
    ['surface/rewrite-changes-more', 'the list', rewritten({ content: 'short' })],
    ['surface/rewrite-changes-more', 'the message', { turn: 1, message: null }],
  ])('%s: %s', (answer, _what, change) => {
    expect(
      judge(4, [
        ['tool/result', append, data],
        ['tool/result', replace(0), change],
      ]),
    ).toBe(answer)
  })
})

test('a result whose message cannot be read is compared as a whole', () => {
  const data = { turn: 1, message: null }
  const rewritten = (change: JsonObject): string =>
    judge(4, [
      ['tool/result', append, data],
      ['tool/result', replace(0), { ...data, ...change }],
    ])
  expect(rewritten({})).toBe('replace')
  expect(rewritten({ turn: 2 })).toBe('surface/rewrite-changes-more')
})

test('the head is named that would be lost', () => {
  const manager = new SurfaceManager(dialectOf(4))
  const system: SessionEvent = { type: 'system/message', seq: 0, time: 0, data: {}, surfaceOp: 'append' }
  manager.commit(system, { kind: 'append' })
  const message = {
    type: 'user/message',
    seq: 1,
    time: 0,
    data: {},
    ...replace(0),
  } as unknown as SessionEvent
  expect(manager.plan(message)).toMatchObject({ code: 'surface/head-protected', args: { head: 0 } })
})
