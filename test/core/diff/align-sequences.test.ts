/** The alignment of two lists: always one, a longest one where the lists are small, and quick on lists made to be slow. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alignSequences, type CommonRun } from '../../../src/core/diff/align-sequences.ts'

function mustBeAlignment(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const runs = alignSequences(a, b)
  let last: CommonRun | undefined
  let matched = 0
  let wrong = 0
  for (const run of runs) {
    for (let at = 0; at < run.length; at++) if (a[run.a + at] !== b[run.b + at]) wrong++
    if (last !== undefined) {
      const gapA = run.a - last.a - last.length
      const gapB = run.b - last.b - last.length
      expect(Math.min(gapA, gapB)).toBeGreaterThanOrEqual(0)
      expect(gapA + gapB).toBeGreaterThan(0)
    }
    last = run
    matched += run.length
  }
  expect(wrong).toBe(0)
  return matched
}

function longest(a: readonly number[], b: readonly number[]): number {
  const table = [...Array(a.length + 1)].map(() => new Array<number>(b.length + 1).fill(0))
  const at = (i: number, j: number): number => table[i]?.[j] as number
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (table[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  return at(0, 0)
}

describe('random lists', () => {
  const list = (kinds: number) => fc.array(fc.nat({ max: kinds }), { maxLength: 60 })

  test('a longest common subsequence', () => {
    fc.assert(fc.property(list(3), list(3), (a, b) => void expect(mustBeAlignment(a, b)).toBe(longest(a, b))))
    fc.assert(
      fc.property(list(40), list(40), (a, b) => void expect(mustBeAlignment(a, b)).toBe(longest(a, b))),
    )
  })

  test('of many elements: an alignment', () => {
    const long = fc.array(fc.nat({ max: 30 }), { minLength: 300, maxLength: 500 })
    fc.assert(
      fc.property(long, long, (a, b) => void mustBeAlignment(a, b)),
      { numRuns: 30 },
    )
  })

  test('a list and the same with pieces out: everything that stayed is matched', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1200 }), fc.array(fc.nat(), { maxLength: 8 }), (length, cuts) => {
        const whole = [...Array(length).keys()]
        const gone = new Set(cuts.map((cut) => cut % (length + 1)))
        const kept = whole.filter((element) => !gone.has(element))
        expect(mustBeAlignment(whole, kept)).toBe(kept.length)
        expect(mustBeAlignment(kept, whole)).toBe(kept.length)
      }),
    )
  })
})

test.each<[name: string, a: number[], b: number[], runs: CommonRun[]]>([
  ['two empty lists', [], [], []],
  ['the same list', [1, 2, 3], [1, 2, 3], [{ a: 0, b: 0, length: 3 }]],
  ['nothing in common', [1, 2], [3], []],
  [
    'one in the middle',
    [1, 2, 3],
    [1, 9, 2, 3],
    [
      { a: 0, b: 0, length: 1 },
      { a: 1, b: 2, length: 2 },
    ],
  ],
])('%s', (_name, a, b, runs) => {
  expect(alignSequences(a, b)).toEqual(runs)
})

describe('lists of 200,000 that are made to be slow', () => {
  const SIZE = 200_000
  const made = (element: (index: number) => number): Int32Array =>
    Int32Array.from({ length: SIZE }, (_, i) => element(i))

  test('the same order backwards', () => {
    expect(
      mustBeAlignment(
        made((i) => i),
        made((i) => SIZE - i),
      ),
    ).toBe(1)
  })

  test('two elements in turn against the same moved', () => {
    const a = made((i) => (i === 0 ? 2 : i % 2))
    const b = made((i) => (i === SIZE - 1 ? 2 : (i + 1) % 2))
    expect(mustBeAlignment(a, b)).toBeGreaterThan(SIZE - 10)
  })

  test('anchors within anchors', () => {
    const nested = made((i) => Math.min(i, SIZE - i))
    expect(
      mustBeAlignment(
        nested,
        made((i) => Math.min(i + 1, SIZE - i)),
      ),
    ).toBeGreaterThan(SIZE - 10)
  })

  test('random elements of a few kinds', () => {
    let state = 1
    const next = (): number => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      return (state >> 8) % 50
    }
    expect(mustBeAlignment(made(next), made(next))).toBeGreaterThan(0)
  })
})
