/** The quick look at a record against the closer one: what is called plain hides nothing, and most records are plain. */
import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonAnomalies } from '../../src/core/json/json-anomalies.ts'
import type { JsonValue } from '../../src/core/json/json-value.ts'
import { parsePlainJson } from '../../src/core/json/plain-json.ts'
import { rich } from '../support/sample-logs.ts'

/** A name or a string, in any spelling. */
const string = fc.oneof(
  fc.constantFrom(
    '"a"',
    '"b"',
    '"\\u0061"',
    '"\\/"',
    '"/"',
    '"é"',
    '"\\u00e9"',
    '"\\ud83d"',
    '"\\""',
    '"a:"',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)),
)

const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    '-0',
    '1e400',
    '1E2',
    '1e-7',
    '9007199254740993',
    '123456789012345',
    '1234567890123456',
    '0.1',
  ),
)

const space = fc.constantFrom('', '', '', '', ' ', '\t', '\r', '\n')

const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    string,
    number,
    fc.constantFrom('true', 'false', 'null'),
    fc.tuple(fc.array(tie('json'), { maxLength: 4 }), space).map(([all, gap]) => `[${all.join(`,${gap}`)}]`),
    fc
      .tuple(fc.array(fc.tuple(string, space, tie('json')), { maxLength: 5 }), space)
      .map(
        ([all, gap]) => `{${all.map(([name, more, value]) => `${name}${more}:${value}`).join(`,${gap}`)}}`,
      ),
  ),
}))

function plain(bytes: Buffer): JsonValue | undefined {
  const { buffer, byteOffset, length } = bytes
  return parsePlainJson(bytes, new DataView(buffer, byteOffset, length), 0, length)
}

function isPlain(bytes: Buffer): boolean {
  return plain(bytes) !== undefined
}

describe('a record that is called plain', () => {
  test('hides nothing', () => {
    fc.assert(
      fc.property(json, (text) => {
        const said = JSON.parse(text)
        const value = plain(Buffer.from(text))
        if (value === undefined) return
        expect(jsonAnomalies(text)).toEqual([])
        expect(value).toStrictEqual(said)
        // With its members in the same order.
        expect(JSON.stringify(value)).toBe(JSON.stringify(said))
      }),
      { numRuns: 5000 },
    )
  })

  test('is JSON', () => {
    fc.assert(
      fc.property(json, fc.nat(), fc.nat(255), fc.boolean(), (text, place, byte, isCut) => {
        const bytes = Buffer.from(text)
        const at = place % bytes.length
        const broken = isCut ? bytes.subarray(0, at) : Buffer.from(bytes.with(at, byte))
        if (isUtf8(broken) && isPlain(broken)) {
          const whole = broken.toString()
          expect(jsonAnomalies(whole)).toEqual([])
          expect(plain(broken)).toStrictEqual(JSON.parse(whole))
          // What is read is what is written.
          expect(JSON.stringify(JSON.parse(whole)).length).toBeLessThanOrEqual(whole.length)
        }
      }),
      { numRuns: 5000 },
    )
  })

  test.each([
    ...[
      '',
      ' ',
      '{',
      '}',
      '[',
      ']',
      '{}{}',
      '{},',
      '[1,]',
      '{"a":1,}',
      '[,1]',
      '{,"a":1}',
      '{"a"}',
      '{"a":}',
      '{a:1}',
    ],
    ...[
      '[1 ,2]',
      '[1',
      '{"a":1]',
      '[1}',
      '01',
      '-',
      '-01',
      '1.',
      '.5',
      '1.5.',
      '+1',
      'nul',
      'nullx',
      'True',
      '1 ',
    ],
    ...[
      '"a',
      '"\\',
      '"\\x"',
      '"\t"',
      "'a'",
      '{"a":1 }',
      '[1]2',
      '1,2',
      '"a""b"',
      '{"a":1"b":2}',
      '[1 2]',
      '00',
      '-0.',
    ],
  ])('is none of these: %j', (text) => {
    expect(isPlain(Buffer.from(text))).toBe(false)
  })

  test.each([
    '0',
    '-0',
    '1.5',
    '-0.5',
    'true',
    'null',
    '""',
    '[]',
    '{}',
    '[[],{}]',
    '{"a":[]}',
    '[{},[1]]',
    '{"":0.25}',
  ])('may be %s', (text) => {
    expect(isPlain(Buffer.from(text))).toBe(true)
  })

  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"a" :1,"a" :2}',
    '{"b":{"a":1},"a":[],"b":0}',
    '{"a":1e400}',
    '[9007199254740993]',
    '"\\ud83d"',
    `${'['.repeat(513)}${']'.repeat(513)}`,
  ])('is none of these: %s', (text) => {
    expect(jsonAnomalies(text)).not.toEqual([])
    expect(isPlain(Buffer.from(text))).toBe(false)
  })

  test('may be one with equal names in different objects, or with a text before a colon', () => {
    expect(isPlain(Buffer.from('{"a":{"a":{"b":1}},"b":[{"a":1},{"a":2}],"c":"a:"}'))).toBe(true)
  })

  test('is every record that DSH writes, but for escapes and long numbers', () => {
    for (const line of rich().lines()) expect(isPlain(Buffer.from(line))).toBe(true)
  })
})
