/** What is left of a list when as much as possible was taken out of it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fewest } from '../../../src/core/search/fewest.ts'

const lists = fc.uniqueArray(fc.nat(1000), { maxLength: 60 })

test('where only some items matter, they are what is left, in their order', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.func(fc.boolean()), async (list, matters) => {
      const needed = list.filter((item) => matters(item))
      const left = await fewest(list, async (some) => needed.every((item) => some.includes(item)))
      expect(left).toEqual(needed)
    }),
  )
})

test('what is left holds, whatever that means; nothing is asked of the whole list', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.func(fc.boolean()), async (list, holdsFor) => {
      const holds = (some: readonly number[]): boolean => some.length === list.length || holdsFor(some.length)
      const left = await fewest(list, async (some) => {
        expect(some.length).toBeLessThan(list.length)
        return holds(some)
      })
      expect(holds(left)).toBe(true)
      expect(list.filter((item) => left.includes(item))).toEqual(left)
    }),
  )
})

test('the later half goes before the earlier one', async () => {
  const asked: (readonly number[])[] = []
  await fewest([1, 2, 3, 4], async (some) => {
    asked.push(some)
    return false
  })
  expect(asked).toEqual([[], [1, 2], [3, 4], [1, 2, 3], [1, 2, 4], [1, 3, 4], [2, 3, 4]])
})
