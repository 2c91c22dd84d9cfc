/** What is drawn of many: nothing that matters is lost, and there is never more than a chart can hold. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SurfaceStep } from '../../../src/core/projections/surface-growth.ts'
import type { TurnSpan } from '../../../src/core/projections/turn-spans.ts'
import { largest } from '../../../src/report/renderers/html/charts/surface-chart.ts'
import {
  MOST_BARS,
  runsOf,
  timeChart,
  tokensChart,
} from '../../../src/report/renderers/html/charts/turn-charts.ts'

function step(seq: number, compaction: boolean, tokens: number): SurfaceStep {
  const size = { nodes: 1, tokens: 0 }
  return {
    seq,
    compaction,
    hidden: 1,
    hiddenTypes: {},
    first: 0,
    last: 0,
    before: { nodes: 2, tokens },
    after: size,
  }
}

const steps = fc
  .array(fc.tuple(fc.boolean(), fc.nat(1000)), { maxLength: 60 })
  .map((parts) => parts.map(([compaction, tokens], seq) => step(seq, compaction, tokens)))

test('of replacements the compactions are marked first, then those that changed most, in log order', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 20 }), (all, most) => {
      const marked = largest(all, most)
      expect(marked).toHaveLength(Math.min(all.length, most))
      expect(marked.map(({ seq }) => seq)).toEqual(marked.map(({ seq }) => seq).toSorted((a, b) => a - b))
      const left = all.filter((one) => !marked.includes(one))
      if (left.some(({ compaction }) => compaction))
        expect(marked.every(({ compaction }) => compaction)).toBe(true)
      const smallest = Math.min(
        ...marked.filter(({ compaction }) => !compaction).map(({ before }) => before.tokens),
      )
      for (const { compaction, before } of left)
        if (!compaction) expect(before.tokens).toBeLessThanOrEqual(smallest)
    }),
  )
})

function span(turn: number): TurnSpan {
  const tokens = { input: 10, output: 1, cacheRead: 5, cacheWrite: 0 }
  return {
    turn,
    seq: turn * 10,
    lastSeq: turn * 10 + 9,
    time: turn,
    lastTime: turn + 0.5,
    outcome: 'completed',
    steps: 1,
    calls: 0,
    tokens,
  }
}

test('turns that share a bar follow one another, and none is lost', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.integer({ min: 1, max: 400 }), (count, most) => {
      const turns = Array.from({ length: count }, (_, turn) => span(turn))
      const runs = runsOf(turns, most)
      expect(runs.length).toBeLessThanOrEqual(most)
      expect(runs.flat()).toEqual(turns)
    }),
  )
})

test('five thousand turns are a few hundred marks', () => {
  const turns = Array.from({ length: 5000 }, (_, turn) => span(turn))
  const growth = { turns, leftOut: 7 }
  const times = String(timeChart(growth))
  expect(times).toContain('the last 5,000 of 5,007 turns')
  expect(times.match(/<rect[^>]* x=/g)?.length).toBeLessThanOrEqual(MOST_BARS)
  const tokens = String(tokensChart(growth))
  expect(tokens).toContain('A bar stands for 17 turns.')
  expect(tokens.match(/<g>/g)?.length).toBeLessThanOrEqual(MOST_BARS)
})
