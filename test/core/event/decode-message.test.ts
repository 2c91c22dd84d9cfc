/** Message shapes (format.md §4.4): each rule, and which of two wins. */
import { describe, expect, test } from 'vitest'
import { messageFinding } from '../../../src/core/event/decode-message.ts'
import type { JsonValue } from '../../../src/core/json/json-value.ts'

const codeOf = (type: string, data: unknown): string | undefined =>
  messageFinding({ type, seq: 0, time: 0, data: data as JsonValue }, {})?.code

const user = { id: 'u', role: 'user', source: { kind: 'user' }, content: [] as unknown }
const model = { kind: 'model', provider: 'p', model: 'm' }
const answer = { id: 'a', role: 'assistant', source: model as unknown, content: [] as unknown }
const block = { type: 'tool-result', toolCallId: 'c', content: [] as unknown }
const result = {
  id: 'r',
  role: 'user',
  source: { kind: 'tool', callId: 'c' } as unknown,
  content: [block] as unknown,
}

describe('user/message', () => {
  test.each<[code: string | undefined, data: unknown]>([
    [undefined, user],
    [undefined, { ...user, extra: 1, content: [{ type: 'unheard-of' }] }],
    [undefined, { ...user, source: { kind: 'automation', runId: '1' } }],
    ['message/id-missing', null],
    ['message/id-missing', 'hi'],
    ['message/id-missing', { ...user, id: undefined }],
    ['message/id-missing', { ...user, id: '' }],
    ['message/id-missing', { ...user, id: 7 }],
    ['message/role-wrong', { ...user, role: 'assistant' }],
    ['message/role-wrong', { ...user, role: undefined }],
    ['message/source-invalid', { ...user, source: undefined }],
    ['message/source-invalid', { ...user, source: 'user' }],
    ['message/source-invalid', { ...user, source: { kind: '' } }],
    ['message/content-invalid', { ...user, content: 'hi' }],
    ['message/content-invalid', { ...user, content: { 0: 'h' } }],
    ['message/id-missing', { role: 'assistant' }],
    ['message/role-wrong', { ...user, role: 'x', source: 1 }],
    ['message/source-invalid', { ...user, source: 1, content: 1 }],
  ])('%s: %j', (code, data) => {
    expect(codeOf('user/message', data)).toBe(code)
  })
})

describe('assistant/message', () => {
  test.each<[code: string | undefined, message: unknown]>([
    [undefined, answer],
    ['message/id-missing', undefined],
    ['message/id-missing', { 0: 'h', 1: 'i', content: [] }],
    ['message/role-wrong', { ...answer, role: 'user' }],
    ['message/content-invalid', { ...answer, content: null }],
    ['message/source-invalid', { ...answer, source: { ...model, kind: 'user' } }],
    ['message/source-invalid', { ...answer, source: { ...model, provider: '' } }],
    ['message/source-invalid', { ...answer, source: { kind: 'model', provider: 'p' } }],
    ['message/content-invalid', { ...answer, source: { kind: 'user' }, content: 1 }],
  ])('%s: %j', (code, message) => {
    expect(codeOf('assistant/message', { turn: 1, step: 1, message })).toBe(code)
  })
})

describe('tool/result', () => {
  test.each<[code: string | undefined, message: unknown]>([
    [undefined, result],
    ['message/role-wrong', { ...result, role: 'tool' }],
    ['message/source-invalid', { ...result, source: { kind: 'user' } }],
    ['message/source-invalid', { ...result, source: { kind: 'tool' } }],
    ['message/source-invalid', { ...result, source: { kind: 'tool', callId: '' } }],
    ['message/content-invalid', { ...result, content: [] }],
    ['message/content-invalid', { ...result, content: [block, block] }],
    ['message/content-invalid', { ...result, content: [{ ...block, type: 'text' }] }],
    ['message/content-invalid', { ...result, content: [{ ...block, content: 'text' }] }],
    ['message/content-invalid', { ...result, content: [null] }],
    ['message/call-id-mismatch', { ...result, content: [{ ...block, toolCallId: 'd' }] }],
    ['message/call-id-mismatch', { ...result, content: [{ ...block, toolCallId: undefined }] }],
  ])('%s: %j', (code, message) => {
    expect(codeOf('tool/result', { turn: 1, step: 1, message })).toBe(code)
  })
})

describe('request/header', () => {
  const config = { provider: 'p', model: 'm' }
  test.each<[code: string | undefined, header: unknown]>([
    [undefined, { config }],
    [
      undefined,
      { config: { ...config, reasoningEffort: 'high' }, adapterDefaults: { reasoningEffort: true } },
    ],
    [undefined, { config: { ...config, maxTokens: 5 }, adapterDefaults: { maxTokens: true }, tools: [] }],
    ['message/request-invalid', undefined],
    ['message/request-invalid', {}],
    ['message/request-invalid', { config: { provider: 'p' } }],
    ['message/request-invalid', { config: { provider: '', model: 'm' } }],
    ['message/request-invalid', { config: { ...config, reasoningEffort: '' } }],
    ['message/request-invalid', { config, adapterDefaults: { reasoningEffort: true } }],
    [
      'message/request-invalid',
      { config: { ...config, maxTokens: 5 }, adapterDefaults: { maxTokens: false } },
    ],
    ['message/request-invalid', { config, adapterDefaults: { temperature: true } }],
    ['message/request-invalid', { config, adapterDefaults: [] }],
  ])('%s: %j', (code, header) => {
    expect(codeOf('request/header', { header, reason: 'initial' })).toBe(code)
  })
})

test.each(['turn/start', 'tool/call', 'acme/x'])('%s carries no message', (type) => {
  expect(codeOf(type, null)).toBeUndefined()
})
