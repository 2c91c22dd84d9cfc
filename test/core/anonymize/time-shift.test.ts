import { expect, test } from 'vitest'
import { TimeShift } from '../../../src/core/anonymize/time-shift.ts'

test('times move together: every difference stays', () => {
  const times = new TimeShift()
  const written = [1_790_000_000_000, 1_790_000_000_250, 1_789_999_000_000]
  const moved = written.map((time) => Number(times.timeFor(String(time))))
  expect(moved[0]).toBe(Date.UTC(2026, 8, 1))
  expect(moved.map((time) => time - (moved[0] as number))).toEqual([0, 250, -1_000_000])
})

test('a log of the time before the delegation depth stays on its side of it', () => {
  expect(Number(new TimeShift().timeFor('1700000000000'))).toBe(Date.UTC(2026, 0, 1))
})

test('numbers that are no milliseconds of our days are not moved', () => {
  for (const written of ['0', '-5', '12', '1.7e12', '1700000000000.5', '99999999999999'])
    expect(new TimeShift().timeFor(written)).toBeUndefined()
})

test('a time at the end of what thirteen digits can say keeps them', () => {
  const times = new TimeShift()
  times.timeFor('1700000000000')
  expect(times.timeFor('9999999999999')).toBe('9999999999999')
  expect(times.timeFor('1000000000000')).toHaveLength(13)
})
