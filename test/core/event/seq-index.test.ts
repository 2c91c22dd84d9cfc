/** What is kept by seq against a plain map, for seqs that follow one another and for those of a hostile log. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SeqIndex, SeqTable } from '../../../src/core/event/seq-index.ts'
import { runs } from '../../support/effort.ts'

const seq = fc.oneof(
  fc.nat(20),
  fc.nat(20_000),
  fc.constantFrom(4095, 4096, 8191, 8192, 16_384, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER),
)
const step = fc.record({ seq, isGone: fc.boolean() })

test('it holds what a map holds', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const map = new Map<number, number>()
      const values = new SeqTable<number>()
      const index = new SeqIndex()
      for (const [value, { seq: at, isGone }] of steps.entries()) {
        for (const kept of [map, values, index]) {
          if (isGone) kept.delete(at)
          else kept.set(at, value)
        }
        for (const { seq: asked } of steps) {
          expect(values.get(asked)).toBe(map.get(asked))
          expect(values.has(asked)).toBe(map.has(asked))
          expect(index.get(asked)).toBe(map.get(asked))
        }
      }
    }),
    { numRuns: runs(500) },
  )
})

test.each([undefined, null, 'length', '0', -1, 1.5, Number.NaN, {}, [0]])('nothing is kept for %j', (odd) => {
  const index = new SeqIndex()
  index.set(0, 1)
  index.set(1, 2)
  expect(index.get(odd)).toBeUndefined()
})
