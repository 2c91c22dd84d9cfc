import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LastItems } from '../../../src/core/projections/last-items.ts'

test('the last items, in order, within number and weight; the others are counted', () => {
  const items = fc.array(fc.nat(20), { maxLength: 100 })
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 30 }), fc.nat(100), (all, most, heaviest) => {
      const latest = new LastItems<number>(most, heaviest, (weight) => weight)
      for (const item of all) latest.push(item)
      const kept = latest.items()
      expect(kept).toEqual(all.slice(latest.leftOut))
      expect(kept.length).toBeLessThanOrEqual(most)
      const sum = kept.reduce((total, weight) => total + weight, 0)
      if (kept.length > 1) expect(sum).toBeLessThanOrEqual(heaviest)
      // Nothing was let go that there was room for.
      const next = all[latest.leftOut - 1]
      if (next !== undefined) expect(kept.length === most || sum + next > heaviest).toBe(true)
    }),
    { numRuns: 500 },
  )
})
