/** One text for values that say the same, and another one for values that do not. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/core/json/canonical-json.ts'
import { sameJson } from '../../../src/core/json/json-value.ts'
import { backwards } from '../../support/member-order.ts'

test.each<[value: unknown, text: string]>([
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  [{ 10: 'a', 9: 'b', z: 'c' }, '{"10":"a","9":"b","z":"c"}'],
  [{ '\u{1f600}': 1, '\ufb33': 2, é: 3 }, '{"é":3,"\u{1f600}":1,"\ufb33":2}'],
  [[-0, 0, 1e21, 0.1], '[-0,0,1e+21,0.1]'],
  [{ gone: undefined, stays: {} }, '{"stays":{}}'],
  ['\n"\ud800', '"\\n\\"\\ud800"'],
  [JSON.parse('{"__proto__":1,"a":{"__proto__":[]}}'), '{"__proto__":1,"a":{"__proto__":[]}}'],
])('%j', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

describe('any two values', () => {
  const value = fc.jsonValue({ maxDepth: 3 })

  test('have the same text when they are the same', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(canonicalJson(backwards(one))).toBe(canonicalJson(one))
        expect(sameJson(JSON.parse(canonicalJson(one)), one)).toBe(true)
      }),
    )
  })

  test('have another text when they are not', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        fc.pre(!sameJson(one, other))
        expect(canonicalJson(one)).not.toBe(canonicalJson(other))
      }),
    )
  })
})

test('however deeply it nests', () => {
  const depth = 50_000
  const nested = (members: string): unknown => JSON.parse('['.repeat(depth) + members + ']'.repeat(depth))
  const text = `${'['.repeat(depth)}{"a":-0,"b":[1]}${']'.repeat(depth)}`
  expect(canonicalJson(nested('{"b":[1],"a":-0}')) === text).toBe(true)
})
