/** What becomes of the runs of a broken numbering. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Arrangement,
  arrangeRuns,
  type ClashKind,
  type Keep,
  type Overlap,
  type Run,
} from '../../../src/core/repair/arrange-runs.ts'

/** Runs by their first and last seq; `undefined` is a row without one. */
type Spans = readonly (readonly [first: number, last: number] | undefined)[]

function runsOf(spans: Spans): Run[] {
  let place = 2
  return spans.map((span) => {
    const rows = span === undefined ? 1 : span[1] - span[0] + 1
    const firstRecord = place
    place += rows
    return { firstRecord, lastRecord: place - 1, first: span?.[0], rows }
  })
}

async function arranged(
  spans: Spans,
  kinds: readonly ClashKind[] = [],
  keep: Keep = 'living',
): Promise<{ arrangement: Arrangement; overlaps: readonly Overlap[] }> {
  const overlaps: Overlap[] = []
  const arrangement = await arrangeRuns(runsOf(spans), keep, async (overlap) => {
    overlaps.push(overlap)
    return kinds[overlaps.length - 1] ?? 'two-writers'
  })
  return { arrangement, overlaps }
}

/** The spans that are kept, each with where it goes. */
function kept({ placements }: Arrangement): (readonly [from: number, last: number, shift: number] | null)[] {
  return placements.map(({ from, until, shift }) => (from === until ? null : [from, until - 1, shift]))
}

/** Every kept seq, renumbered, in the order of the file: has to be 0, 1, 2… */
function numbers({ placements }: Arrangement): number[] {
  return placements.flatMap(({ from, until, shift }) =>
    Array.from({ length: until - from }, (_, index) => from + index + shift),
  )
}

function isDense(arrangement: Arrangement): void {
  const given = numbers(arrangement)
  expect(given).toEqual(given.map((_, index) => index))
}

test.each<
  [name: string, spans: Spans, kinds: ClashKind[], after: ReturnType<typeof kept>, gaps: Arrangement['gaps']]
>([
  ['nothing at all', [], [], [], []],
  ['a whole log', [[0, 9]], [], [[0, 9, 0]], []],
  [
    'a gap',
    [
      [0, 4],
      [7, 9],
    ],
    [],
    [
      [0, 4, 0],
      [7, 9, -2],
    ],
    [{ first: 5, end: 7 }],
  ],
  ['a gap at the beginning', [[3, 9]], [], [[3, 9, -3]], [{ first: 0, end: 3 }]],
  [
    'a wrong number after rows that come too early',
    [
      [0, 3],
      [8, 8],
      [4, 5],
      [7, 7],
      [7, 7],
      [9, 9],
    ],
    [],
    [
      [0, 3, 0],
      [4, 5, 0],
      [6, 6, 0],
      [7, 7, 0],
      [8, 8, 0],
      [9, 9, 0],
    ],
    [],
  ],
  [
    'two gaps',
    [
      [0, 1],
      [3, 4],
      [8, 9],
    ],
    [],
    [
      [0, 1, 0],
      [3, 4, -1],
      [8, 9, -4],
    ],
    [
      { first: 2, end: 3 },
      { first: 5, end: 8 },
    ],
  ],
  [
    'a copy',
    [
      [0, 5],
      [3, 5],
      [6, 9],
    ],
    ['identical'],
    [[0, 5, 0], null, [6, 9, 0]],
    [],
  ],
  [
    'a copy that goes on',
    [
      [0, 5],
      [3, 9],
    ],
    ['identical'],
    [
      [0, 5, 0],
      [6, 9, 0],
    ],
    [],
  ],
  [
    'a whole second copy',
    [
      [0, 5],
      [0, 5],
    ],
    ['identical'],
    [[0, 5, 0], null],
    [],
  ],
  [
    'a copy of copies',
    [
      [0, 5],
      [3, 5],
      [3, 5],
      [6, 6],
    ],
    ['identical', 'identical'],
    [[0, 5, 0], null, null, [6, 6, 0]],
    [],
  ],
  [
    'closers before the real end',
    [
      [0, 8],
      [6, 12],
    ],
    ['closers'],
    [
      [0, 5, 0],
      [6, 12, 0],
    ],
    [],
  ],
  [
    'closers before a shorter end',
    [
      [0, 8],
      [6, 6],
    ],
    ['closers'],
    [
      [0, 5, 0],
      [6, 6, 0],
    ],
    [],
  ],
  [
    'late closers',
    [
      [0, 12],
      [6, 8],
      [13, 14],
    ],
    ['late-closers'],
    [[0, 12, 0], null, [13, 14, 0]],
    [],
  ],
  [
    'late closers that are gone on from',
    [
      [0, 7],
      [6, 12],
    ],
    ['late-closers'],
    [
      [0, 7, 0],
      [8, 12, 0],
    ],
    [],
  ],
  [
    'a packed row over single ones',
    [
      [0, 5],
      [4, 9],
    ],
    ['packed-overlap'],
    [
      [0, 3, 0],
      [4, 9, 0],
    ],
    [],
  ],
  [
    'a packed row within others',
    [
      [0, 9],
      [4, 5],
      [10, 11],
    ],
    ['packed-overlap'],
    [[0, 9, 0], null, [10, 11, 0]],
    [],
  ],
  ['a row without a seq', [[0, 4], undefined, [5, 6]], [], [[0, 4, 0], null, [5, 6, 0]], []],
  [
    'rows without a seq in a row',
    [[0, 4], undefined, undefined, [5, 6]],
    [],
    [[0, 4, 0], null, null, [5, 6, 0]],
    [],
  ],
  ['a first row without a seq', [undefined, [0, 6]], [], [null, [0, 6, 0]], []],
  [
    'a row whose seq is missing',
    [[0, 4], undefined, [6, 8]],
    [],
    [
      [0, 4, 0],
      [5, 5, 0],
      [6, 8, 0],
    ],
    [],
  ],
  [
    'a row with a later number',
    [
      [0, 4],
      [77, 77],
      [6, 8],
    ],
    [],
    [
      [0, 4, 0],
      [5, 5, 0],
      [6, 8, 0],
    ],
    [],
  ],
  [
    'a row with an earlier number',
    [
      [0, 4],
      [1, 1],
      [6, 8],
    ],
    [],
    [
      [0, 4, 0],
      [5, 5, 0],
      [6, 8, 0],
    ],
    [],
  ],
  [
    'a first row with a wrong number',
    [
      [9, 9],
      [1, 8],
    ],
    [],
    [
      [0, 0, 0],
      [1, 8, 0],
    ],
    [],
  ],
])('%s', async (_name, spans, kinds, after, gaps) => {
  const { arrangement, overlaps } = await arranged(spans, kinds)
  expect(kept(arrangement)).toEqual(after)
  expect(arrangement.gaps).toEqual(gaps)
  expect(overlaps).toHaveLength(kinds.length)
  isDense(arrangement)
})

test.each<[name: string, spans: Spans, misplaced: (number | undefined)[]]>([
  [
    'nothing of a log with gaps',
    [
      [0, 3],
      [7, 9],
      [12, 14],
    ],
    [],
  ],
  [
    'nothing of a clash',
    [
      [0, 8],
      [6, 20],
    ],
    [],
  ],
  [
    'nothing of a wrong number that others have',
    [
      [0, 4],
      [2, 2],
      [6, 8],
    ],
    [],
  ],
  [
    'nothing of a wrong number that is too high',
    [
      [0, 4],
      [77, 77],
      [6, 8],
    ],
    [],
  ],
  ['nothing of a row without a number', [[0, 4], undefined, [6, 8]], []],
  [
    'one of two neighbours that changed places',
    [
      [0, 4],
      [6, 6],
      [5, 5],
      [7, 9],
    ],
    [6],
  ],
  [
    'both of two rows that changed places',
    [
      [0, 4],
      [8, 8],
      [6, 7],
      [5, 5],
      [9, 12],
    ],
    [5, 8],
  ],
  [
    'a block that belongs further up',
    [
      [0, 4],
      [8, 12],
      [5, 7],
    ],
    [5],
  ],
])('out of place is %s', async (_name, spans, misplaced) => {
  const { arrangement } = await arranged(spans)
  const moved = arrangement.placements.filter(({ isMoved }) => isMoved)
  expect(moved.map(({ run }) => run.first)).toEqual(misplaced)
  isDense(arrangement)
})

describe('two writers', () => {
  test.each<[name: string, spans: Spans, stays: Readonly<Record<Keep, 'earlier' | 'later'>>]>([
    [
      'the later one wrote more',
      [
        [0, 8],
        [6, 20],
      ],
      { living: 'later', first: 'earlier', last: 'later', longest: 'later' },
    ],
    [
      'the earlier one wrote more',
      [
        [0, 20],
        [6, 8],
      ],
      { living: 'earlier', first: 'earlier', last: 'later', longest: 'earlier' },
    ],
    [
      'both wrote the same',
      [
        [0, 8],
        [6, 8],
      ],
      { living: 'later', first: 'earlier', last: 'later', longest: 'earlier' },
    ],
  ])('%s', async (_name, spans, stays) => {
    for (const keep of ['living', 'first', 'last', 'longest'] as const) {
      const { arrangement } = await arranged(spans, [], keep)
      const [earlier, later] = spans as [[number, number], [number, number]]
      const wanted =
        stays[keep] === 'later'
          ? [
              [0, 5, 0],
              [...later, 0],
            ]
          : [[...earlier, 0], null]
      expect(kept(arrangement), keep).toEqual(wanted)
      expect(arrangement.branches).toHaveLength(1)
      const other = arrangement.branches[0] as Arrangement
      isDense(arrangement)
      isDense(other)
      const rest =
        stays[keep] === 'later'
          ? [[...earlier, 0], null]
          : [
              [0, 5, 0],
              [...later, 0],
            ]
      expect(kept(other), `${keep}, the other`).toEqual(rest)
    }
  })

  test('the clash that is asked about names what both have', async () => {
    const { overlaps } = await arranged([
      [0, 8],
      [6, 20],
    ])
    expect(overlaps).toMatchObject([{ first: 6, last: 8, expected: 9, run: { first: 6 } }])
  })

  test('a gap in the branch that is left behind', async () => {
    const { arrangement } = await arranged([
      [0, 8],
      [10, 11],
      [6, 20],
    ])
    expect(kept(arrangement)).toEqual([[0, 5, 0], null, [6, 20, 0]])
    expect(arrangement.gaps).toEqual([])
    expect(kept(arrangement.branches[0] as Arrangement)).toEqual([[0, 8, 0], [10, 11, -1], null])
    isDense(arrangement.branches[0] as Arrangement)
  })

  test('a gap before both', async () => {
    const { arrangement } = await arranged([
      [0, 3],
      [5, 8],
      [7, 20],
    ])
    expect(kept(arrangement)).toEqual([
      [0, 3, 0],
      [5, 6, -1],
      [7, 20, -1],
    ])
    expect(kept(arrangement.branches[0] as Arrangement)).toEqual([[0, 3, 0], [5, 8, -1], null])
  })

  test('a copy on the branch that is left behind', async () => {
    const { arrangement } = await arranged(
      [
        [0, 8],
        [7, 8],
        [6, 20],
      ],
      ['identical', 'two-writers'],
    )
    expect(kept(arrangement)).toEqual([[0, 5, 0], null, [6, 20, 0]])
    expect(kept(arrangement.branches[0] as Arrangement)).toEqual([[0, 8, 0], null, null])
  })

  test('what goes on after the branch that was left goes on from the other', async () => {
    const { arrangement } = await arranged([
      [0, 20],
      [6, 8],
      [21, 30],
    ])
    expect(kept(arrangement)).toEqual([[0, 20, 0], null, [21, 30, 0]])
    expect(kept(arrangement.branches[0] as Arrangement)).toEqual([[0, 5, 0], [6, 8, 0], null])
  })
})

describe('three writers', () => {
  test.each<[name: string, spans: Spans, living: unknown, branches: unknown[]]>([
    [
      'that went on from one event',
      [
        [0, 8],
        [6, 10],
        [6, 20],
      ],
      [[0, 5, 0], null, [6, 20, 0]],
      [
        [[0, 8, 0], null, null],
        [[0, 5, 0], [6, 10, 0], null],
      ],
    ],
    [
      'of which the third began later',
      [
        [0, 8],
        [6, 15],
        [12, 20],
      ],
      [
        [0, 5, 0],
        [6, 11, 0],
        [12, 20, 0],
      ],
      [
        [[0, 8, 0], null, null],
        [[0, 5, 0], [6, 15, 0], null],
      ],
    ],
    [
      'of which the third began earlier',
      [
        [0, 8],
        [6, 15],
        [3, 20],
      ],
      [[0, 2, 0], null, [3, 20, 0]],
      [
        [[0, 8, 0], null, null],
        [[0, 5, 0], [6, 15, 0], null],
      ],
    ],
    [
      'of which the first lives on',
      [
        [0, 20],
        [6, 8],
        [10, 12],
      ],
      [[0, 20, 0], null, null],
      [
        [[0, 5, 0], [6, 8, 0], null],
        [[0, 9, 0], null, [10, 12, 0]],
      ],
    ],
    [
      'of which the second was left, and the third took over before it',
      [
        [0, 20],
        [10, 12],
        [6, 40],
      ],
      [[0, 5, 0], null, [6, 40, 0]],
      [
        [[0, 9, 0], [10, 12, 0], null],
        [[0, 20, 0], null, null],
      ],
    ],
  ])('%s', async (_name, spans, living, branches) => {
    const { arrangement } = await arranged(spans)
    expect(kept(arrangement)).toEqual(living)
    expect(arrangement.branches.map(kept)).toEqual(branches)
    for (const branch of arrangement.branches) isDense(branch)
  })
})

test('whatever the runs are, what is kept follows on, and rises in each', async () => {
  const span = fc.option(
    fc.tuple(fc.nat({ max: 15 }), fc.nat({ max: 6 })).map(([first, more]) => [first, first + more] as const),
    { nil: undefined, freq: 8 },
  )
  const kinds = fc.array(
    fc.constantFrom<ClashKind>('identical', 'closers', 'late-closers', 'packed-overlap', 'two-writers'),
    { maxLength: 8 },
  )
  const keeps = fc.constantFrom<Keep>('living', 'first', 'last', 'longest')
  await fc.assert(
    fc.asyncProperty(fc.array(span, { maxLength: 8 }), kinds, keeps, async (spans, list, keep) => {
      const { arrangement } = await arranged(spans, list, keep)
      isDense(arrangement)
      const { ranges } = arrangement
      for (const [index, { first, end }] of ranges.entries()) {
        expect(end).toBeGreaterThan(first)
        if (index > 0) expect(first).toBeGreaterThanOrEqual(ranges[index - 1]?.end as number)
      }
      for (const { run, from, until, movedTo } of arrangement.placements) {
        if (from === until || movedTo !== undefined) continue
        expect(from).toBeGreaterThanOrEqual(run.first as number)
        expect(until).toBeLessThanOrEqual((run.first as number) + run.rows)
      }
      for (const branch of arrangement.branches) isDense(branch)
    }),
    { numRuns: 500 },
  )
})
