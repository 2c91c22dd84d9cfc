import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeSources,
  decodeTaggedSources,
  encodeSources,
} from '../../../src/storage/sqlite/varint-sources.ts'

const LARGEST = Number.MAX_SAFE_INTEGER
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

test.each([
  ['04 02 02', [4, 5, 6]],
  ['10', [16]],
  ['02 1a 04 20', [2, 15, 17, 33]],
  ['', []],
  ['05 01 02', [5, 4, 5]],
  ['ff ff ff ff ff ff ff 0f', [LARGEST]],
  ['ff ff ff ff ff ff ff 0f fd ff ff ff ff ff ff 1f', [LARGEST, 0]],
  ['00 fe ff ff ff ff ff ff 1f', [0, LARGEST]],
])('%s', (text, seqs) => {
  expect(decodeSources(hex(text))).toEqual({ kind: 'sources', seqs })
  expect(encodeSources(seqs)).toEqual(hex(text))
})

test.each([
  ['80', 'truncated varint'],
  ['04 82', 'truncated varint'],
  ['81 00', 'non-canonical varint'],
  ['80 80 80 80 80 80 80 80 00', 'non-canonical varint'],
  ['80 80 80 80 80 80 80 10', 'varint is out of range'],
  ['00 ff ff ff ff ff ff ff 1f', 'varint is out of range'],
  ['80 80 80 80 80 80 80 80 80 01', 'varint is out of range'],
  ['00 01', 'decoded seq is out of range'],
  ['ff ff ff ff ff ff ff 0f 02', 'decoded seq is out of range'],
])('%s is malformed', (text, problem) => {
  expect(decodeSources(hex(text))).toEqual({
    kind: 'malformed',
    problem: `malformed source_event_seqs storage value: ${problem}`,
  })
})

describe('with a tag', () => {
  test.each([
    ['', []],
    ['00 04 02 02', [4, 5, 6]],
    ['01 04 03', [4, 5, 6]],
    ['01 04 03 09 01', [4, 5, 6, 9]],
  ])('%s', (text, seqs) => {
    expect(decodeTaggedSources(hex(text), 10)).toEqual({ kind: 'sources', seqs })
  })

  test.each([
    ['00', 'truncated tagged payload'],
    ['02 00', 'unknown encoding tag'],
    ['00 80', 'truncated varint'],
    ['01 00 00', 'run count must be positive'],
    ['01 00 01 00 01', 'runs must ascend within safe integers'],
    ['01 00 0b', 'run exceeds its event sequence'],
    ['01 00', 'truncated varint'],
  ])('%s is malformed', (text, problem) => {
    expect(decodeTaggedSources(hex(text), 10)).toEqual({
      kind: 'malformed',
      problem: `malformed source_event_seqs storage value: ${problem}`,
    })
  })

  test('a run does not fill the memory', () => {
    expect(decodeTaggedSources(hex('01 00 ff ff ff ff ff ff ff 0f'), 10).kind).toBe('malformed')
  })
})

test('decoding undoes encoding', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeNat()), (seqs) => {
      expect(decodeSources(encodeSources(seqs))).toEqual({ kind: 'sources', seqs })
    }),
  )
})

test('any bytes give a list or a problem', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 24 }), (bytes) => {
      for (const decoded of [decodeSources(bytes), decodeTaggedSources(bytes, 100)]) {
        expect(['sources', 'malformed']).toContain(decoded.kind)
      }
    }),
  )
})
