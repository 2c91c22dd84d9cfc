/** Circles of parents, of any length and at any distance. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { circleOfParents } from '../../../src/load/inputs/parent-session.ts'

const name = (index: number): string => `s${index}`

test('a circle is found however far above it is, and its members are named in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 300 }), fc.integer({ min: 1, max: 90 }), async (distance, length) => {
      const parentOf = (id: string): string => {
        const next = Number(id.slice(1)) + 1
        return name(next < distance + length ? next : distance)
      }
      const circle = Array.from({ length }, (_, index) => name(distance + index))
      expect(await circleOfParents('s0', parentOf('s0'), parentOf)).toEqual([...circle, name(distance)])
    }),
  )
})

test('ancestors that end are no circle, and of a very long circle the first are named', async () => {
  const next = (id: string): number => Number(id.slice(1)) + 1
  const line = (id: string) => (next(id) < 500 ? name(next(id)) : undefined)
  expect(await circleOfParents('s0', 's1', line)).toBeUndefined()
  const circle = await circleOfParents('s0', 's1', (id) => name(next(id) % 500))
  expect(circle?.slice(-3)).toEqual(['s99', '…', 's0'])
})
