import { expect, test } from 'vitest'
import { eventTrace } from '../../../src/core/projections/trace.ts'
import { load } from '../../support/load.ts'
import type { LogBuilder } from '../../support/log-builder.ts'
import { base, twoTurns } from '../../support/sample-logs.ts'

function nested(): LogBuilder {
  return twoTurns().compaction(1, 6).compaction(17, 10)
}

async function trace(built: LogBuilder, seq: number) {
  return (await load(built, { trace: eventTrace(seq) })).results.trace
}

test.each<[seq: number, expected: object]>([
  [4, { class: 'shadowed', replacedBy: 17, chain: [17, 21], replaced: [], sources: [], derived: [17] }],
  [5, { class: 'log-only', chain: [], replaced: [], sources: [], derived: [6] }],
  [6, { class: 'shadowed', replacedBy: 17, chain: [17, 21], sources: [5], derived: [17] }],
  [12, { class: 'current', chain: [], derived: [] }],
  [16, { class: 'log-only', derived: [17] }],
  [
    17,
    {
      class: 'shadowed',
      replacedBy: 21,
      chain: [21],
      replaced: [1, 4, 6],
      sources: [15, 16, 1, 4, 6],
      derived: [21],
    },
  ],
  [21, { class: 'current', chain: [], replaced: [17, 10], sources: [19, 20, 17, 10] }],
])('seq %i', async (seq, expected) => {
  const found = await trace(nested(), seq)
  expect(found).toMatchObject({ event: { seq }, ...expected })
  expect(found?.origin.line).toBe(seq + 2)
})

test('a seq that the log does not have', async () => {
  expect(await trace(base(), 9)).toBeUndefined()
})

test('a refused replacement replaced nothing, but is still derived from what it cites', async () => {
  const built = base().checkpoint(1, 4, { sources: [1] })
  expect(await trace(built, 1)).toMatchObject({ class: 'current', derived: [9] })
  expect(await trace(built, 9)).toMatchObject({ class: 'log-only', replaced: [] })
})

test('an event in a packed row is found with its place in the row', async () => {
  const built = base().openTurn((turn) => turn.openStep((step) => step.packed(['a', 'b', 'c'])))
  expect(await trace(built, 12)).toMatchObject({
    event: { type: 'assistant/chunk' },
    origin: { line: 13, member: 1 },
  })
})
