/** Lists of numbers and texts against plain arrays, for what neighbours are like in a sound log and in a hostile one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NONE, NumberColumn } from '../../../src/core/event/number-column.ts'
import { TextList } from '../../../src/core/event/text-list.ts'
import { runs } from '../../support/effort.ts'

const number = fc.oneof(
  fc.integer({ min: -3, max: 300 }),
  fc.integer(),
  fc.maxSafeNat(),
  fc.double(),
  fc.constantFrom(NONE, -0, 127, 128, -128, 2 ** 31, -(2 ** 31), 2 ** 60, Number.NaN, Number.MAX_VALUE),
)
const numbers = fc.array(number, { maxLength: 200 })

test.each([undefined, 0])('what is put into a column comes out of it, around %s', (base) => {
  fc.assert(
    fc.property(numbers, fc.array(fc.tuple(fc.nat(20_000), number)), (pushed, later) => {
      const column = new NumberColumn(base)
      const list: number[] = []
      const put = (index: number, value: number): void => {
        while (list.length < index) list.push(NONE)
        list[index] = value
        column.set(index, value)
      }
      for (const value of pushed) {
        column.push(value)
        list.push(value)
      }
      for (const [index, value] of later) put(index, value)
      expect(column.length).toBe(list.length)
      const differing = list.findIndex((value, index) => !Object.is(column.at(index), value))
      expect(differing).toBe(-1)
    }),
    { numRuns: runs(300) },
  )
})

test('texts come out as they were put in, long ones too', () => {
  const long = fc.nat(3).map((times) => 'é€x'.repeat(times * 100_000))
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), long), { maxLength: 20 }), (texts) => {
      const list = new TextList()
      for (const text of texts) list.push(text)
      expect(texts.every((text, index) => list.is(index, text) && list.at(index) === text)).toBe(true)
    }),
    { numRuns: runs(60) },
  )
})
