/** Streams inside the answers of format 2: their shape, and what the message must say accordingly. */
import { describe, expect, test } from 'vitest'
import { streamDisagreement, streamFault } from '../../../src/core/event/embedded-stream.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'

const text = { type: 'text-chunks', time0: 1, index: 0, dt: [1], texts: ['he', 'llo'] }
const call = { type: 'tool-call-chunks', time0: 3, index: 1, dt: [], id: 'c1', name: 'bash', args: ['{}'] }
const chunk = (chunk: JsonObject) => ({ type: 'chunk', time: 5, chunk })
const usage = { inputTokens: 1, outputTokens: 2 }
const callBlock = { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{}' }
const stream = [
  text,
  call,
  chunk({ type: 'usage', usage }),
  chunk({ type: 'finish', reason: { kind: 'tool-calls' } }),
]

const answer = (content: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  message: { content, source: { kind: 'model' } },
  usage,
  ...more,
})

describe('the shape of a record', () => {
  test.each([[text], [call], [chunk({ type: 'finish' })]])('%o is sound', (record) => {
    expect(streamFault([record])).toBeUndefined()
  })

  test.each([
    ['a gap too few', { ...text, dt: [] }],
    ['no text', { ...text, texts: [], dt: [] }],
    ['an extra member', { ...text, extra: 1 }],
    ['a fractional time', { ...text, time0: 1.5 }],
    ['an unknown type', { ...text, type: 'other' }],
    ['a chunk without a type', chunk({})],
    ['a string', 'x'],
  ])('%s is not', (_, record) => {
    expect(streamFault([record])).toMatchObject({ record: 0 })
  })
})

describe('the message against its stream', () => {
  const hello = { type: 'text', text: 'hello' }

  test.each<[string, JsonObject, string | undefined]>([
    ['agrees', answer([hello, callBlock]), undefined],
    ['has another text', answer([{ ...hello, text: 'hallo' }, callBlock]), 'content'],
    ['lacks a block', answer([hello]), 'content'],
    ['counts otherwise', answer([hello, callBlock], { usage: { inputTokens: 9, outputTokens: 2 } }), 'usage'],
    ['was interrupted, so its calls are dropped', answer([hello], { interrupted: true }), undefined],
  ])('%s', (_, data, expected) => {
    expect(streamDisagreement(stream, data)).toBe(expected)
  })

  test('cut off at the token limit loses its calls', () => {
    const cut = [
      text,
      call,
      chunk({ type: 'usage', usage }),
      chunk({ type: 'finish', reason: { kind: 'max-tokens' } }),
    ]
    expect(streamDisagreement(cut, answer([hello]))).toBeUndefined()
    expect(streamDisagreement(cut, answer([hello, callBlock]))).toBe('content')
  })

  test('a finished block counts, not its deltas', () => {
    const ended = [text, chunk({ type: 'block-end', index: 0, block: { type: 'text', text: 'Hello.' } })]
    expect(
      streamDisagreement(ended, { message: { content: [{ type: 'text', text: 'Hello.' }] } }),
    ).toBeUndefined()
  })

  test('an empty stream says nothing', () => {
    expect(streamDisagreement([], answer([hello]))).toBeUndefined()
  })
})
