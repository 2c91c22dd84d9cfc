/** The members of an event line, and range-encoded sources (format.md §2.3). */
import { describe, expect, test } from 'vitest'
import { decodeEnvelope } from '../../../src/core/event/decode-envelope.ts'
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value.ts'

const good: JsonObject = { type: 'turn/start', seq: 20, time: 5, data: { turn: 1 } }

function decode(row: JsonObject) {
  const members: unknown[] = []
  const event = decodeEnvelope(row, 20, {}, ({ code, args }) => {
    expect(code).toBe('envelope/invalid')
    members.push('member' in args && args.member)
  })
  return { event, members }
}

const without = (field: string): JsonObject =>
  Object.fromEntries(Object.entries(good).filter(([key]) => key !== field))

test.each<[name: string, row: JsonObject]>([
  ['the four members', good],
  ['data null', { ...good, data: null }],
  ['a negative time', { ...good, time: -1 }],
  ['ignorable', { ...good, ignorable: true }],
  ['surface members', { ...good, surfaceOp: 'append', sourceEventSeqs: [1, 2] }],
])('accepts %s', (_name, row) => {
  const { event, members } = decode(row)
  expect(members).toEqual([])
  expect(event).toEqual(row)
})

test.each<[member: string, row: JsonObject]>([
  ['type', without('type')],
  ['type', { ...good, type: 3 }],
  ['time', without('time')],
  ['time', { ...good, time: 1.5 }],
  ['time', { ...good, time: 2 ** 53 }],
  ['time', { ...good, time: '5' }],
  ['data', without('data')],
  ['ignorable', { ...good, ignorable: false }],
  ['ignorable', { ...good, ignorable: null }],
  ['origin', { ...good, origin: 'x' }],
  ['__proto__', JSON.parse('{"type":"t","seq":20,"time":0,"data":{},"__proto__":1}')],
])('refuses a bad %s: %j', (member, row) => {
  expect(decode(row).members).toEqual([member])
})

test('all that is wrong is said, and the event is built all the same', () => {
  const { event, members } = decode({ extra: 1, seq: 20 })
  expect(members).toEqual(['extra', 'type', 'time', 'data'])
  expect(event).toEqual({ type: '', seq: 20, time: 0, data: null })
})

describe('range-encoded sources', () => {
  test.each<[stored: JsonValue, expanded: JsonValue]>([
    [[[9, 12]], [9, 10, 11, 12]],
    [
      [3, [9, 12]],
      [3, 9, 10, 11, 12],
    ],
    [
      [[0, 2], 5, [7, 7]],
      [0, 1, 2, 5, 7],
    ],
    [
      [5, 3, 4],
      [5, 3, 4],
    ],
    [[], []],
    ['no', 'no'],
    [null, null],
  ])('%j reads as %j', (stored, expanded) => {
    expect(decode({ ...good, sourceEventSeqs: stored }).event.sourceEventSeqs).toEqual(expanded)
  })

  test.each<[why: string, stored: JsonValue]>([
    ['backwards', [[12, 9]]],
    ['not below the own seq', [[18, 20]]],
    ['overlapping', [[3, 9], 9]],
    ['not increasing', [9, [3, 5]]],
    ['three members', [[1, 2, 3]]],
    ['empty', [[]]],
    ['a fraction', [[1, 2.5]]],
    ['a negative start', [[-3, -1]]],
    ['a huge end', [[0, 2 ** 60]]],
  ])('a pair that is %s is left for the surface rules to refuse', (_why, stored) => {
    expect(decode({ ...good, sourceEventSeqs: stored }).event.sourceEventSeqs).toEqual(stored)
  })
})
