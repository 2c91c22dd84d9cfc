/** Which event is which: inserted, removed, changed, renumbered and moved ones are distinguished, and every event is told once. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/diff/change.ts'
import { eventChanges, eventCounts, type MatchedLogs } from '../../../src/core/diff/event-changes.ts'
import { type EventList, matchEvents, renumbering } from '../../../src/core/diff/match-events.ts'

/** An event is a content, a type and, when it is not its position, a seq. */
type Event = readonly [content: number, type?: number, seq?: number]

function list(events: readonly Event[]): EventList {
  const contents = Int32Array.from(events, ([content]) => content)
  return {
    contents,
    exact: contents,
    types: Int32Array.from(events, ([, type = 0]) => type),
    seqs: Float64Array.from(events, ([, , seq], index) => seq ?? index),
  }
}

function matched(a: readonly Event[], b: readonly Event[]): MatchedLogs {
  const [listA, listB] = [list(a), list(b)]
  const types = Array.from({ length: 10 }, (_, type) => `t${type}`)
  return { a: listA, b: listB, match: matchEvents(listA, listB), types, details: new Map() }
}

/** `-3..4` and the like: what happened to which seqs. */
function told(a: readonly Event[], b: readonly Event[]): string[] {
  return [...eventChanges(matched(a, b))].map(({ change, a: from, b: to }) => {
    const span = (place: Change['a']): string =>
      place === undefined
        ? ''
        : place.first === place.last
          ? `${place.first}`
          : `${place.first}..${place.last}`
    return `${change} ${[span(from), span(to)].filter((text) => text !== '').join(' → ')}`
  })
}

const row = (...contents: number[]): Event[] => contents.map((content) => [content])

test.each<[name: string, a: Event[], b: Event[], told: string[]]>([
  ['nothing', [], [], []],
  ['the same', row(1, 2, 3), row(1, 2, 3), []],
  ['one added at the end', row(1, 2), row(1, 2, 3), ['added 2']],
  ['one added in front', row(1, 2), row(9, 1, 2), ['added 0', 'renumbered 0..1 → 1..2']],
  ['one removed', row(1, 2, 3, 4), row(1, 3, 4), ['removed 1', 'renumbered 2..3 → 1..2']],
  ['a gap that stays', row(1, 2, 3), [[1], [3, 0, 2]], ['removed 1']],
  ['one changed', row(1, 2, 3), row(1, 9, 3), ['changed 1 → 1']],
  ['one of another type', [[1], [2, 1], [3]], [[1], [9, 2], [3]], ['removed 1', 'added 1']],
  [
    'one changed after one added',
    row(1, 2, 3, 4),
    row(9, 1, 2, 8, 4),
    ['added 0', 'renumbered 0..1 → 1..2', 'changed 2 → 3', 'renumbered 3 → 4'],
  ],
  ['one moved', row(1, 2, 3, 4), row(2, 3, 4, 1), ['moved 0 → 3', 'renumbered 1..3 → 0..2']],
  [
    'two moved together',
    row(1, 2, 3, 4, 5),
    row(3, 4, 5, 1, 2),
    ['moved 0..1 → 3..4', 'renumbered 2..4 → 0..2'],
  ],
  ['all of it', row(1, 2), row(), ['removed 0..1']],
  ['nothing in common', [[1, 1]], [[2, 2]], ['removed 0', 'added 0']],
])('%s', (_name, a, b, expected) => {
  expect(told(a, b)).toEqual(expected)
})

describe('any two logs', () => {
  const event = fc
    .tuple(fc.nat({ max: 12 }), fc.constant(0))
    .map(([content]): [number, number] => [content, content % 3])
  const log = fc.tuple(fc.array(event, { maxLength: 40 }), fc.array(fc.nat({ max: 2 }), { maxLength: 40 }))
  /** Seqs rise, with gaps here and there. */
  const numbered = log.map(([events, gaps]): Event[] => {
    let seq = -1
    return events.map(([content, type], index) => {
      seq += 1 + (gaps[index] === 2 ? 3 : 0)
      return [content, type, seq]
    })
  })

  test('every event is told once, and the counts are those of what is told', () => {
    fc.assert(
      fc.property(numbered, numbered, (a, b) => {
        const logs = matched(a, b)
        const counts = eventCounts(logs)
        expect(counts.same + counts.renumbered + counts.changed + counts.moved + counts.removed).toBe(
          a.length,
        )
        expect(counts.same + counts.renumbered + counts.changed + counts.moved + counts.added).toBe(b.length)
        const sums = { added: 0, removed: 0, changed: 0, renumbered: 0, moved: 0 }
        for (const { change, count } of eventChanges(logs)) sums[change] += count
        expect({ same: counts.same, ...sums }).toEqual(counts)
      }),
    )
  })

  test('nothing is told exactly when they are the same', () => {
    fc.assert(
      fc.property(numbered, numbered, (a, b) => {
        expect(told(a, a)).toEqual([])
        expect(told(a, b).length === 0).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })

  test('what is renumbered has the number that the renumbering gives', () => {
    fc.assert(
      fc.property(numbered, numbered, (a, b) => {
        const { a: listA, b: listB, match } = matched(a, b)
        const map = renumbering(listA, listB, match)
        for (const [i, seq] of listA.seqs.entries()) {
          const partner = match.partners[i] as number
          expect(map.of(seq)).toBe(partner === -1 ? undefined : listB.seqs[partner])
        }
      }),
    )
  })
})
