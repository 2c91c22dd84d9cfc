/**
 * Every line of rich logs in every format with every fault in turn, and two and three faults near each other: the log is
 * mended, clean, nothing whole leaves it, every changed line is in the quarantine as it was, and where nothing is lost the
 * log comes back as it was.
 */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { part, runs } from '../support/effort.ts'
import { expectMended, isAmbiguous } from '../support/expect-mended.ts'
import { FAULTS, type Fault } from '../support/faults.ts'
import { later } from '../support/later-log.ts'
import { rich } from '../support/sample-logs.ts'

type Version = 0 | 2 | 3 | 4

function wholeLog(version: Version): string[] {
  if (version === 0) return rich().text().trimEnd().split('\n')
  const built = later(version)
  built.turn((turn) =>
    turn.step((step) => {
      if (version >= 3) step.system()
      step.user('list').request().tool('c1')
    }),
  )
  built.turn((turn) => {
    turn.step((step) => {
      step.user('two').assistant('', [{ id: 'c2' }, { id: 'c3' }])
      step.call('c2').call('c3').result('c2', 'x').result('c3', 'y')
    })
    turn.step((step) => step.assistant('done'))
  })
  const first = version >= 3 ? 3 : 2
  built.compaction('x1', [first, first + 2, first + 4])
  built.turn((turn) => turn.step((step) => step.user('four').tool('c4')))
  built.turn((turn) => turn.step((step) => step.user('five').assistant('end')))
  return built.text().trimEnd().split('\n')
}

describe.each<Version>([0, 2, 3, 4])('format %i', (version) => {
  const [header = '', ...rows] = wholeLog(version)
  const faults = FAULTS.filter(({ relation }) => relation !== true || version === 4)

  test.each(faults)('any line is $name', { timeout: 300_000 }, async (fault) => {
    // The first line cannot be numbered lower, and the last one has no neighbour.
    const places = part(
      rows.slice(1, -1).map((_, index) => index + 1),
      6,
    )
    for (const at of places) await expectMended(header, rows, [[fault, at]])
  })

  test('any two neighbours are lost', { timeout: 300_000 }, async () => {
    for (const at of part(
      rows.slice(2).map((_, index) => index + 1),
      6,
    ))
      await expectMended(header, rows, [
        [FAULTS[0] as Fault, at],
        [FAULTS[0] as Fault, at + 1],
      ])
  })

  test('two and three faults are near each other', { timeout: 600_000 }, async () => {
    const fault = fc.tuple(fc.constantFrom(...faults), fc.integer({ min: 1, max: 3 }))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: rows.length - 4 }),
        fc.array(fault, { minLength: 2, maxLength: 3 }),
        async (first, list) => {
          const distances = list.map(([, distance]) => distance)
          const placeOf = (index: number): number =>
            distances.slice(1, index + 1).reduce((at, distance) => at + distance, first)
          fc.pre(!isAmbiguous(list.map(([one]) => one)))
          await expectMended(
            header,
            rows,
            list.map(([one], index) => [one, placeOf(index)] as const),
          )
        },
      ),
      { numRuns: runs(600, 40) },
    )
  })
})
