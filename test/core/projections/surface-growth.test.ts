import { expect, test } from 'vitest'
import { MOST_STEPS, MOST_SUMMARY, surfaceGrowth } from '../../../src/core/projections/surface-growth.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich } from '../../support/sample-logs.ts'

async function growthOf(built: LogBuilder) {
  return (await load(built, { growth: surfaceGrowth() })).results.growth
}

test('a point for every event that changes the surface: a token for four characters', async () => {
  const { points, replacements, leftOut } = await growthOf(
    log()
      .user('12345678')
      .turn((turn) =>
        turn.step((step) => step.assistant('1234').call('c', 'bash', '{"a":1}').result('c', '123456789')),
      ),
  )
  // 8; then 4 of text, 4 of the name and 7 of the arguments; then 9 of the result.
  expect(points.map(({ nodes, tokens }) => [nodes, tokens])).toEqual([
    [1, 2],
    [2, 6],
    [3, 8],
  ])
  expect({ replacements, leftOut }).toEqual({ replacements: [], leftOut: 0 })
})

test('a replacement: what it hid, and the size before and after', async () => {
  const built = base()
  const seq = built.nextSeq + 2
  built.compaction(1, 6, 'in short')
  const { points, replacements } = await growthOf(built)
  // 'list files', 'bash' and '{}', 'a.txt': 21 characters.
  expect(replacements).toEqual([
    {
      seq,
      compaction: true,
      hidden: 3,
      hiddenTypes: { 'user/message': 1, 'assistant/message': 1, 'tool/result': 1 },
      first: 1,
      last: 6,
      before: { nodes: 3, tokens: 6 },
      after: { nodes: 1, tokens: 2 },
      summary: 'in short',
    },
  ])
  expect(points.at(-1)).toEqual({ seq, nodes: 1, tokens: 2 })
})

test('prunes are replacements without a summary, nested compactions have their own', async () => {
  const { replacements } = await growthOf(rich())
  expect(replacements.map(({ compaction, hidden, summary }) => [compaction, hidden, summary])).toEqual([
    [false, 1, undefined],
    [true, 3, 'first'],
    [true, 2, 'second'],
  ])
})

test('a refused replacement changes nothing', async () => {
  const built = base()
  const before = await growthOf(base())
  expect(await growthOf(built.checkpoint(3, 4, { sources: [1] }))).toEqual(before)
})

test('many changes and replacements are bounded, and say how many are missing', async () => {
  const built = log().user('x'.repeat(400))
  for (let count = 0; count < 1000; count++) {
    const last = built.surface.at(-1) as number
    if (count % 2 === 0) built.user('yyyy')
    else built.user('z', { kind: 'user' }, { op: { op: 'replace', start: last, end: last }, sources: [last] })
  }
  const { points, replacements, leftOut } = await growthOf(built)
  expect(points.length).toBeLessThanOrEqual(360)
  expect(replacements).toHaveLength(MOST_STEPS)
  expect(leftOut).toBe(0)
  for (let count = 0; count < 10; count++) {
    const last = built.surface.at(-1) as number
    built.user('z', { kind: 'user' }, { op: { op: 'replace', start: last, end: last }, sources: [last] })
  }
  expect(await growthOf(built)).toMatchObject({ leftOut: 10 })
})

test('a long summary is cut', async () => {
  const { replacements } = await growthOf(base().compaction(1, 6, 's'.repeat(MOST_SUMMARY + 1)))
  expect(replacements[0]?.summary).toBe('s'.repeat(MOST_SUMMARY))
})
