/** The first place that no JSON text has there. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFault } from '../../../src/core/json/json-fault.ts'

test.each<[text: string, at: number]>([
  ['garbage', 0],
  ['{"a":1}', 7],
  ['{"a":1}x', 7],
  ['{"a":1}{"b":2}', 7],
  ['{"a":', 5],
  ['{"a":tru', 5],
  ['{"a" 1}', 5],
  ['{,}', 1],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['[]', 2],
  ['[1}', 2],
  ['"a\u0000b"', 2],
  ['"a\\x"', 2],
  ['"abc', 4],
  ['01', 1],
  ['{1:2}', 1],
  ['\u0000{}', 0],
])('%j: %i', (text, at) => {
  expect(jsonFault(text)).toBe(at)
})

test('a JSON text has no fault, and one that is cut has it at its end', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) => {
      expect(jsonFault(text)).toBe(text.length)
      // A cut number or word may have a fault of its own.
      const part = `["${'x'.repeat(cut % 50)}`
      expect(jsonFault(part)).toBe(part.length)
    }),
  )
})

test('what is before the fault can be gone on with, and the fault cannot', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom('\u0000', '#', '\n]', ':'), (text, place, broken) => {
      const at = place % (text.length + 1)
      const damaged = text.slice(0, at) + broken + text.slice(at)
      const fault = jsonFault(damaged)
      const isJson = (() => {
        try {
          JSON.parse(damaged)
          return true
        } catch {
          return false
        }
      })()
      expect(fault === damaged.length || !isJson).toBe(true)
    }),
  )
})
