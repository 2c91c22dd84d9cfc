/** Where seqs go when ranges of a log move. */
import { describe, expect, test } from 'vitest'
import { SeqMap } from '../../../src/core/repair/seq-map.ts'

describe('making room', () => {
  test.each<[name: string, before: number[], mapped: (number | undefined)[]]>([
    ['nowhere', [], [0, 1, 2, 3, 4]],
    ['at the front', [0], [1, 2, 3, 4, 5]],
    ['in the middle', [2], [0, 1, 3, 4, 5]],
    ['twice in one place', [2, 2], [0, 1, 4, 5, 6]],
    ['in two places', [1, 3], [0, 2, 3, 5, 6]],
    ['in two places, given backwards', [3, 1], [0, 2, 3, 5, 6]],
    ['after the end', [9], [0, 1, 2, 3, 4]],
  ])('%s', (_name, before, mapped) => {
    const map = SeqMap.opening(before)
    expect([0, 1, 2, 3, 4].map((seq) => map.of(seq))).toEqual(mapped)
  })

  test.each([
    ['nothing', 0, 0],
    ['what is before the room', 2, 2],
    ['up to the room after it', 3, 4],
    ['past both rooms', 6, 8],
  ])('counts %s', (_name, count, counted) => {
    expect(SeqMap.opening([2, 4]).countBelow(count)).toBe(counted)
  })

  test('keeps what lies below the first room', () => {
    const map = SeqMap.opening([3, 5])
    expect([0, 3, 4, 6].map((seq) => map.keepsBelow(seq))).toEqual([true, true, false, false])
    expect(SeqMap.opening([0]).keepsBelow(0)).toBe(true)
    expect(SeqMap.opening([0]).keepsBelow(1)).toBe(false)
  })
})

describe('ranges with gaps', () => {
  // 0 to 2 stay, 3 and 4 are gone, 5 to 7 move up, 8 is gone, 9 moves up.
  const map = new SeqMap([
    { first: 0, end: 3, shift: 0 },
    { first: 5, end: 8, shift: -2 },
    { first: 9, end: 10, shift: -3 },
  ])

  test('map what they hold, and nothing else', () => {
    const seqs = Array.from({ length: 12 }, (_, seq) => map.of(seq))
    const gone = undefined
    expect(seqs).toEqual([0, 1, 2, gone, gone, 3, 4, 5, gone, 6, gone, gone])
  })

  test('count what is left of a beginning', () => {
    const counts = Array.from({ length: 12 }, (_, count) => map.countBelow(count))
    expect(counts).toEqual([0, 1, 2, 3, 3, 3, 4, 5, 6, 6, 7, 7])
  })

  test('keep what lies before the first gap', () => {
    expect([0, 3, 4, 5].map((seq) => map.keepsBelow(seq))).toEqual([true, true, false, false])
  })

  test('whose first one is not at 0', () => {
    const late = new SeqMap([{ first: 2, end: 4, shift: -2 }])
    expect([0, 1, 2, 3, 4].map((seq) => late.of(seq))).toEqual([undefined, undefined, 0, 1, undefined])
    expect([0, 1, 2, 3, 4, 9].map((count) => late.countBelow(count))).toEqual([0, 0, 0, 1, 2, 2])
    expect(late.keepsBelow(0)).toBe(true)
    expect(late.keepsBelow(2)).toBe(false)
  })

  test('none at all', () => {
    const none = new SeqMap([])
    expect([none.of(0), none.countBelow(3), none.keepsBelow(0), none.keepsBelow(1)]).toEqual([
      undefined,
      0,
      true,
      false,
    ])
  })
})
