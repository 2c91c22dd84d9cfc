/** Packed chunk rows (format.md §2.4). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value.ts'
import { expandRow } from '../../../src/storage/packed-rows/expand-row.ts'

const data: JsonObject = { turn: 1, step: 2, index: 0, dt: [5, -3], texts: ['a', 'b', 'c'] }
const row: JsonObject = { type: 'text-chunks', seq0: 4, time0: 100, data }
const { texts: _texts, ...place } = data
const calls: JsonObject = { ...place, id: 'c1', args: ['{', '"a"', '}'] }

test.each<[type: string, chunk: string]>([
  ['text-chunks', 'text-delta'],
  ['reasoning-chunks', 'reasoning-delta'],
])('%s stands for one event a member', (type, chunk) => {
  expect(expandRow({ ...row, type })).toEqual({
    kind: 'row',
    rows: [
      { type: 'assistant/chunk', seq: 4, time: 100, data: chunkData({ type: chunk, index: 0, text: 'a' }) },
      { type: 'assistant/chunk', seq: 5, time: 105, data: chunkData({ type: chunk, index: 0, text: 'b' }) },
      { type: 'assistant/chunk', seq: 6, time: 102, data: chunkData({ type: chunk, index: 0, text: 'c' }) },
    ],
  })
})

test.each<[name: string, data: JsonObject, extra: JsonObject]>([
  ['with', { ...calls, name: 'bash' }, { name: 'bash' }],
  ['without', calls, {}],
])('tool-call-chunks %s a name', (_name, payload, extra) => {
  const expanded = expandRow({ ...row, type: 'tool-call-chunks', data: payload })
  const chunk = { type: 'tool-call-delta', index: 0, id: 'c1', ...extra, argumentsDelta: '{' }
  expect(expanded).toMatchObject({ rows: [{ data: chunkData(chunk) }, { seq: 5 }, { seq: 6 }] })
  if (expanded.kind === 'row') expect((expanded.rows[0] as JsonObject).data).toEqual(chunkData(chunk))
})

test('a run of one needs no gaps', () => {
  const single = { ...row, data: { ...data, dt: [], texts: ['x'] } }
  expect(expandRow(single)).toMatchObject({ kind: 'row', rows: [{ seq: 4 }] })
})

test.each<[value: JsonValue]>([
  [{ type: 'turn/start', seq: 0 }],
  [42],
  [null],
  [[]],
  [{ type: 3 }],
  [{ type: 'toString' }],
])('%j is no packed row and stays itself', (value) => {
  expect(expandRow(value)).toEqual({ kind: 'row', rows: [value] })
})

describe('malformed', () => {
  const max = Number.MAX_SAFE_INTEGER
  test.each<[why: string, row: JsonObject]>([
    ['an extra member', { ...row, ignorable: true }],
    ['a member less', { type: 'text-chunks', seq0: 4, data }],
    ['data that is no object', { ...row, data: [] }],
    ['a seq below 0', { ...row, seq0: -1 }],
    ['a seq as text', { ...row, seq0: '4' }],
    ['a fractional time', { ...row, time0: 1.5 }],
    ['extra data', { ...row, data: { ...data, name: 'x' } }],
    ['data without an index', { ...row, data: { ...data, index: undefined } }],
    ['a turn as text', { ...row, data: { ...data, turn: '1' } }],
    ['no texts', { ...row, data: { ...data, dt: [], texts: [] } }],
    ['texts that are no list', { ...row, data: { ...data, texts: 'abc' } }],
    ['a text that is none', { ...row, data: { ...data, texts: ['a', 1, 'c'] } }],
    ['too few gaps', { ...row, data: { ...data, dt: [1] } }],
    ['too many gaps', { ...row, data: { ...data, dt: [1, 1, 1] } }],
    ['gaps that are no list', { ...row, data: { ...data, dt: 1 } }],
    ['a fractional gap', { ...row, data: { ...data, dt: [1, 0.5] } }],
    ['a time out of range', { ...row, time0: max, data: { ...data, dt: [1, -1] } }],
    ['a seq out of range', { ...row, seq0: max }],
    ['texts in a tool call', { ...row, type: 'tool-call-chunks', data: { ...data, id: 'c' } }],
    ['a tool call without an id', { ...row, type: 'tool-call-chunks', data: { ...calls, id: undefined } }],
    ['an id that is no text', { ...row, type: 'tool-call-chunks', data: { ...calls, id: 1 } }],
    ['a name that is no text', { ...row, type: 'tool-call-chunks', data: { ...calls, name: null } }],
  ])('%s', (_why, bad) => {
    // Through JSON, as it would be stored: an undefined member is an absent one.
    expect(expandRow(JSON.parse(JSON.stringify(bad))).kind).toBe('malformed')
  })
})

test('what a writer packs expands to what it packed', () => {
  const members = fc.array(fc.tuple(fc.string(), fc.integer({ min: -1000, max: 1000 })), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(members, fc.nat(), fc.integer(), (pairs, seq0, time0) => {
      let time = time0
      const events = pairs.map(([text, gap], member) => {
        if (member > 0) time += gap
        const chunk = { type: 'text-delta', index: 0, text }
        return { type: 'assistant/chunk', seq: seq0 + member, time, data: chunkData(chunk) }
      })
      const dt = pairs.slice(1).map(([, gap]) => gap)
      const packed = { ...row, seq0, time0, data: { ...data, dt, texts: pairs.map(([text]) => text) } }
      expect(expandRow(packed)).toEqual({ kind: 'row', rows: events })
    }),
  )
})

function chunkData(chunk: JsonObject): JsonObject {
  return { turn: 1, step: 2, chunk }
}
