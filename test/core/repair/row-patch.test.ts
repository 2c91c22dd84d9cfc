/** Small changes inside a row, and nothing else about it. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { patchRow, type RowPatch } from '../../../src/core/repair/row-patch.ts'

const text = { type: 'text', text: 'x' }

test.each<[name: string, row: JsonObject, patch: RowPatch, after: JsonObject]>([
  [
    'ignorable',
    { type: 'acme/x', seq: 3 },
    { kind: 'ignorable' },
    { type: 'acme/x', seq: 3, ignorable: true },
  ],
  [
    'the id of a user message',
    { type: 'user/message', data: { role: 'user', content: [text] } },
    { kind: 'message-id', id: 'm', problem: 'missing' },
    { type: 'user/message', data: { role: 'user', content: [text], id: 'm' } },
  ],
  [
    'the id of any other message',
    { type: 'tool/result', data: { turn: 1, message: { id: '', content: [text] } } },
    { kind: 'message-id', id: 'm', problem: 'missing' },
    { type: 'tool/result', data: { turn: 1, message: { id: 'm', content: [text] } } },
  ],
  [
    'blocks of an answer',
    {
      type: 'assistant/message',
      data: {
        message: {
          content: [text, { type: 'tool-call', id: '', name: 'x' }, { type: 'tool-call', id: 'b', name: '' }],
        },
      },
    },
    {
      kind: 'call-blocks',
      blocks: new Map([
        [1, { id: 'a' }],
        [2, { name: 'y' }],
      ]),
    },
    {
      type: 'assistant/message',
      data: {
        message: {
          content: [
            text,
            { type: 'tool-call', id: 'a', name: 'x' },
            { type: 'tool-call', id: 'b', name: 'y' },
          ],
        },
      },
    },
  ],
  [
    'the call of a start',
    { type: 'tool/call', data: { callId: '', name: 'x' } },
    { kind: 'call-id', callId: 'a' },
    { type: 'tool/call', data: { callId: 'a', name: 'x' } },
  ],
  [
    'the call of a wrapped result',
    {
      type: 'tool/result',
      data: {
        message: {
          source: { kind: 'tool', callId: '' },
          content: [{ type: 'tool-result', toolCallId: '', content: [text] }],
        },
      },
    },
    { kind: 'call-id', callId: 'a' },
    {
      type: 'tool/result',
      data: {
        message: {
          source: { kind: 'tool', callId: 'a' },
          content: [{ type: 'tool-result', toolCallId: 'a', content: [text] }],
        },
      },
    },
  ],
  [
    'the call of a result of format 4',
    {
      type: 'tool/result',
      data: { message: { toolCallId: '', source: { kind: 'tool', callId: '' }, content: [text] } },
    },
    { kind: 'call-id', callId: 'a' },
    {
      type: 'tool/result',
      data: { message: { toolCallId: 'a', source: { kind: 'tool', callId: 'a' }, content: [text] } },
    },
  ],
  [
    'an inbox splice',
    { type: 'agent/inbox/spliced', data: { target: 't', start: 9, removedCount: 4, inserted: [1] } },
    { kind: 'inbox', start: 2, removedCount: 1 },
    { type: 'agent/inbox/spliced', data: { target: 't', start: 2, removedCount: 1, inserted: [1] } },
  ],
  [
    'an inbox splice that removes nothing',
    { type: 'agent/inbox/spliced', data: { target: 't', start: 9, inserted: [1] } },
    { kind: 'inbox', start: 2, removedCount: 0 },
    { type: 'agent/inbox/spliced', data: { target: 't', start: 2, inserted: [1] } },
  ],
  [
    'data that is none',
    { type: 'user/message', data: 'x' },
    { kind: 'message-id', id: 'm', problem: 'missing' },
    { type: 'user/message', data: 'x' },
  ],
  [
    'a message that is none',
    { type: 'assistant/message', data: { message: 3 } },
    { kind: 'message-id', id: 'm', problem: 'missing' },
    { type: 'assistant/message', data: { message: 3 } },
  ],
])('%s', (_name, row, patch, after) => {
  const copy = structuredClone(row)
  expect(patchRow(row, patch)).toEqual(after)
  expect(row).toEqual(copy)
})
