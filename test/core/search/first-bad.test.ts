/** Where good turns to bad, against a look at every position. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstBad, type Probed } from '../../../src/core/search/first-bad.ts'

/** Searches a list whose first item is good and whose last is bad. */
async function search(verdicts: readonly Probed[]) {
  const probed: number[] = []
  const turn = await firstBad(0, verdicts.length - 1, async (position) => {
    probed.push(position)
    return verdicts[position] as Probed
  })
  return { turn, probed }
}

const verdictLists = fc
  .array(fc.constantFrom<Probed>('good', 'bad', 'skip'), { maxLength: 200 })
  .map((between): Probed[] => ['good', ...between, 'bad'])

test('one turn: it is found, in a logarithmic number of probes', async () => {
  for (let length = 2; length < 70; length++) {
    for (let first = 1; first < length; first++) {
      const verdicts = Array.from({ length }, (_, index): Probed => (index < first ? 'good' : 'bad'))
      const { turn, probed } = await search(verdicts)
      expect(turn).toEqual({ good: first - 1, bad: first })
      expect(probed.length).toBeLessThanOrEqual(Math.ceil(Math.log2(length)))
    }
  }
})

describe('whatever the list is like', () => {
  test('good is before bad, both as they are in the list, and everything between cannot be told', async () => {
    await fc.assert(
      fc.asyncProperty(verdictLists, async (verdicts) => {
        const { good, bad } = (await search(verdicts)).turn
        expect(verdicts[good]).toBe('good')
        expect(verdicts[bad]).toBe('bad')
        expect(bad).toBeGreaterThan(good)
        expect(verdicts.slice(good + 1, bad).filter((verdict) => verdict !== 'skip')).toEqual([])
      }),
    )
  })

  test('nothing is probed twice, and not the ends', async () => {
    await fc.assert(
      fc.asyncProperty(verdictLists, async (verdicts) => {
        const { probed } = await search(verdicts)
        expect(new Set(probed).size).toBe(probed.length)
        expect(probed.filter((position) => position <= 0 || position >= verdicts.length - 1)).toEqual([])
      }),
    )
  })
})

test('a stretch that cannot be told is not walked through when the turn is elsewhere', async () => {
  const verdicts = Array.from({ length: 1000 }, (_, index): Probed => {
    if (index < 300) return index < 120 ? 'good' : 'bad'
    return index < 700 ? 'skip' : 'bad'
  })
  const { turn, probed } = await search(verdicts)
  expect(turn).toEqual({ good: 119, bad: 120 })
  expect(probed.length).toBeLessThan(20)
})
