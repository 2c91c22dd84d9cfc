import { expect, test } from 'vitest'
import { load } from './load.ts'
import { base, rich, twoTurns } from './sample-logs.ts'

test.each([
  ['base', base, [1, 4, 6], 9],
  ['twoTurns', twoTurns, [1, 4, 6, 10, 12], 15],
] as const)('%s is a clean log', async (_name, build, surface, events) => {
  const { list, end } = await load(build(), {})
  expect(list).toEqual([])
  expect(end.surface.nodes).toEqual(surface)
  expect(end.eventCount).toBe(events)
})

test('the rich log is clean, and its surface is the one the builder kept', async () => {
  const built = rich()
  const { list, end } = await load(built, {})
  expect(list).toEqual([])
  expect(end.surface.nodes).toEqual(built.surface)
  expect(end.surface.replaceGeneration).toBe(3)
})
