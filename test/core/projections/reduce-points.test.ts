import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_PER_PART, reducePoints } from '../../../src/core/projections/reduce-points.ts'

const points = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 50 }), nodes: fc.nat(100), tokens: fc.nat(100) }), {
    maxLength: 300,
  })
  .map((steps) => {
    let seq = 0
    return steps.map(({ gap, nodes, tokens }) => {
      seq += gap
      return { seq, nodes, tokens }
    })
  })

test('few points, in order, among them the ends and the extremes of both curves', () => {
  fc.assert(
    fc.property(points, fc.integer({ min: 1, max: 30 }), (all, parts) => {
      const kept = reducePoints(all, parts)
      expect(kept.length).toBeLessThanOrEqual(parts * MOST_PER_PART)
      expect(kept).toEqual(all.filter((point) => kept.includes(point)))
      if (all.length === 0) return
      expect([kept[0], kept.at(-1)]).toEqual([all[0], all.at(-1)])
      for (const curve of ['nodes', 'tokens'] as const) {
        const [before, after] = [all, kept].map((list) => list.map((point) => point[curve])) as [
          number[],
          number[],
        ]
        expect([Math.min(...after), Math.max(...after)]).toEqual([Math.min(...before), Math.max(...before)])
      }
    }),
    { numRuns: 500 },
  )
})

test('no part of the axis loses its peak', () => {
  const all = Array.from({ length: 1000 }, (_, seq) => ({ seq, nodes: 1, tokens: seq % 100 === 37 ? 99 : 1 }))
  const peaks = reducePoints(all, 50).filter(({ tokens }) => tokens === 99)
  expect(peaks.map(({ seq }) => seq)).toEqual([37, 137, 237, 337, 437, 537, 637, 737, 837, 937])
})
