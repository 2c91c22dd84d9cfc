import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sameJson } from '../../../src/core/json/json-value.ts'
import { isLosslessJson } from '../../../src/core/json/lossless-json.ts'

function nested(depth: number, leaf: unknown): unknown {
  let value = leaf
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

test('JSON values are the same as their copies, whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(sameJson(value, structuredClone(value))).toBe(true)
      expect(sameJson({ a: value, b: 1 }, { b: 1, a: value })).toBe(true)
      expect(sameJson({ a: value }, { a: value, b: 1 })).toBe(false)
    }),
  )
})

test.each<[left: unknown, right: unknown]>([
  [[], {}],
  [null, {}],
  [null, undefined],
  [1, '1'],
  [{ a: undefined }, {}],
  [{ toString: 1 }, { a: 1 }],
  [
    [1, 2],
    [2, 1],
  ],
])('%j is not %j', (left, right) => {
  expect(sameJson(left, right)).toBe(false)
})

test('depth is no limit', () => {
  expect(sameJson(nested(200_000, 1), nested(200_000, 1))).toBe(true)
  expect(sameJson(nested(200_000, 1), nested(200_000, 2))).toBe(false)
  expect(isLosslessJson(nested(200_000, 1))).toBe(true)
})

test.each<[value: unknown]>([
  [-0],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [undefined],
  [1n],
  [() => 1],
  [Symbol('x')],
  [new Map()],
  [new Date(0)],
  [[undefined]],
  // biome-ignore lint/suspicious/noSparseArray: a sparse list is what must be refused
  [[1, , 2]],
  [{ a: { b: -0 } }],
])('%o does not survive being written', (value) => {
  expect(isLosslessJson(value)).toBe(false)
})
