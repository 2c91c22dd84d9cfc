/** Older shapes inside format 0, upgraded in memory (format.md §9.1). */
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import { LegacyUpgrader } from '../../../src/core/event/upgrade-legacy.ts'
import type { JsonValue } from '../../../src/core/json/json-value.ts'

function upgrade(type: string, data: JsonValue, members: Partial<SessionEvent> = {}) {
  return new LegacyUpgrader('S').upgrade({ type, seq: 7, time: 0, data, ...members })
}

const source = { kind: 'user' }
const content = [{ type: 'text', text: 'hi' }]
const provenance = { provider: 'p', model: 'm' }

describe('upgraded', () => {
  test.each<[name: string, type: string, data: JsonValue, becomes: { type?: string; data: JsonValue }]>([
    ['a trigger', 'turn/start', { turn: 1, trigger: { kind: 'user' } }, { data: { turn: 1 } }],
    [
      'aborted',
      'turn/end',
      { turn: 1, reason: { kind: 'aborted' } },
      { data: { turn: 1, reason: { kind: 'aborted', reason: { kind: 'legacy' } } } },
    ],
    [
      'disposed',
      'turn/end',
      { turn: 1, reason: { kind: 'disposed' } },
      { data: { turn: 1, reason: { kind: 'aborted', reason: { kind: 'disposed' } } } },
    ],
    [
      'a failure',
      'turn/end',
      { turn: 1, reason: { kind: 'error', step: 1, failure: { message: 'm', code: 'C', status: 500 } } },
      { data: { turn: 1, reason: { kind: 'error', error: { message: 'm', code: 'C', status: 500 } } } },
    ],
    [
      'an error with a code',
      'turn/end',
      { turn: 1, reason: { kind: 'error', step: 1, message: 'm', code: 'C' } },
      { data: { turn: 1, reason: { kind: 'error', error: { message: 'm', code: 'C' } } } },
    ],
    [
      'an error without a code',
      'turn/end',
      { turn: 1, reason: { kind: 'error', step: 1, message: 'm' } },
      { data: { turn: 1, reason: { kind: 'error', error: { message: 'm', code: 'UNKNOWN' } } } },
    ],
    [
      'a bare steering message',
      'steering/message',
      { turn: 1, content, source },
      { type: 'user/message', data: { content, source, id: 'legacy-message:S:7', role: 'user' } },
    ],
    [
      'a wrapped steering message',
      'steering/message',
      { turn: 1, message: { id: 'u', role: 'user', content, source } },
      { type: 'user/message', data: { id: 'u', role: 'user', content, source } },
    ],
    [
      'a user message without identity',
      'user/message',
      { content, source },
      { data: { content, source, id: 'legacy-message:S:7', role: 'user' } },
    ],
    [
      'an answer without wrapper',
      'assistant/message',
      { turn: 1, step: 1, content, provenance },
      {
        data: {
          turn: 1,
          step: 1,
          message: {
            id: 'legacy-message:S:7',
            role: 'assistant',
            content,
            source: { provider: 'p', model: 'm', kind: 'model' },
          },
        },
      },
    ],
    [
      'a result without wrapper',
      'tool/result',
      { turn: 1, step: 1, callId: 'c', content, isError: false },
      {
        data: {
          turn: 1,
          step: 1,
          message: {
            id: 'legacy-message:S:7',
            role: 'user',
            content: [{ type: 'tool-result', toolCallId: 'c', content, isError: false }],
            source: { kind: 'tool', callId: 'c' },
          },
        },
      },
    ],
  ])('%s', (_name, type, data, becomes) => {
    const upgraded = upgrade(type, data)
    expect(upgraded).toMatchObject({ kind: 'upgraded' })
    if (upgraded.kind === 'upgraded') expect(upgraded.event).toEqual({ type, seq: 7, time: 0, ...becomes })
  })
})

test('a rewritten result inherits the id of the message it rewrites', () => {
  const upgrader = new LegacyUpgrader('S')
  const event = { type: 'tool/result', time: 0, data: { callId: 'c', content, isError: false } }
  upgrader.upgrade({ ...event, seq: 3, surfaceOp: 'append' })
  const rewrite = upgrader.upgrade({ ...event, seq: 5, surfaceOp: { op: 'replace', start: 3, end: 3 } })
  expect(rewrite).toMatchObject({
    kind: 'upgraded',
    event: { data: { message: { id: 'legacy-message:S:3' } } },
  })
})

test.each<[type: string, data: JsonValue]>([
  ['turn/start', { turn: 1 }],
  ['turn/start', null],
  ['turn/end', { turn: 1, reason: { kind: 'completed' } }],
  ['turn/end', { turn: 1, reason: { kind: 'aborted', reason: { kind: 'user' } } }],
  ['turn/end', { turn: 1, reason: { kind: 'error', error: { message: 'm', code: 'C' } } }],
  ['turn/end', { turn: 1, reason: { kind: 'unheard-of', x: 1 } }],
  ['user/message', { id: 'u', role: 'user', content, source }],
  ['user/message', { role: 'user', content, source }],
  ['assistant/message', { turn: 1, step: 1, message: {} }],
  ['tool/result', { turn: 1, step: 1, message: {} }],
  ['request/header', { header: {}, reason: 'initial' }],
])('left as it is: %s %j', (type, data) => {
  expect(upgrade(type, data)).toEqual({ kind: 'current' })
})

test.each<[type: string, data: JsonValue]>([
  ['turn/start', { turn: 1, trigger: { kind: 'user' }, more: 1 }],
  ['turn/start', { turn: 1, trigger: null }],
  ['turn/start', { turn: 0, trigger: { kind: 'user' } }],
  ['turn/end', { turn: 1, reason: { kind: 'completed', more: 1 } }],
  ['turn/end', { turn: 1, reason: { kind: 'disposed', more: 1 } }],
  ['turn/end', { turn: 1, reason: { kind: 'error', message: 'm' } }],
  ['turn/end', { turn: 1, reason: {} }],
  ['turn/end', { turn: 1 }],
  ['steering/message', { turn: 1 }],
  ['steering/message', null],
])('malformed: %s %j', (type, data) => {
  expect(upgrade(type, data).kind).toBe('malformed')
})

test.each<[type: string, data: JsonValue]>([
  ['request/header-delta', {}],
  ['mode/set', { mode: 'x' }],
  ['request/header', { header: {}, reason: 'fallback' }],
])('retired: %s %j', (type, data) => {
  expect(upgrade(type, data).kind).toBe('retired')
})
