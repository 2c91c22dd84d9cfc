/**
 * Rich logs of formats 2 to 4 from the specification: every row lost, every two neighbours lost, every row with every other
 * fault, and two and three faults near each other. The log is mended and clean, and nothing whole leaves it.
 */
import { describe, expect, test } from 'vitest'
import { Random } from '../oracle/random.ts'
import { part, runs } from '../support/effort.ts'
import { expectMended, type FaultAt, isAmbiguous } from '../support/expect-mended.ts'
import { FAULTS, type Fault } from '../support/faults.ts'
import type { LaterVersion } from '../support/later-log.ts'
import { runMain } from '../support/run-main.ts'
import { specifiedLaterLog } from '../support/specified-later-log.ts'
import { tempFile } from '../support/temp-dir.ts'

const SEEDS = ['first', 'second', 'third', 'fourth']
const [LOST] = FAULTS as [Fault, ...Fault[]]
const LONG = { timeout: 1_200_000 }

describe.each<LaterVersion>([2, 3, 4])('format %i', (version) => {
  const faults = FAULTS.filter(({ relation }) => relation !== true || version === 4)
  const logs = SEEDS.map((seed) => {
    const [header = '', ...rows] = specifiedLaterLog(version, seed)
    return { header, rows }
  })

  test('the logs are clean', LONG, async () => {
    for (const { header, rows } of logs) {
      const { exitCode, stdout } = await runMain(['check', tempFile(`${[header, ...rows].join('\n')}\n`)])
      expect(exitCode, stdout).toBe(0)
      expect(stdout).not.toContain('error')
    }
  })

  test('any row is lost', LONG, async () => {
    for (const { header, rows } of logs)
      for (const at of part(placesIn(rows), 12)) await expectMended(header, rows, [[LOST, at]])
  })

  test('any two neighbours are lost', LONG, async () => {
    for (const { header, rows } of logs)
      for (const at of part(placesIn(rows).slice(0, -1), 17))
        await expectMended(header, rows, [
          [LOST, at],
          [LOST, at + 1],
        ])
  })

  test('any row has any other fault', LONG, async () => {
    for (const { header, rows } of logs.slice(0, 1)) {
      const faulty = faults.slice(1).flatMap((fault) => placesIn(rows).map((at) => [fault, at] as const))
      for (const fault of part(faulty, 67)) await expectMended(header, rows, [fault])
    }
  })

  test('two and three faults are near each other', LONG, async () => {
    const random = new Random(`faults of format ${version}`)
    for (let run = 0; run < runs(400, 20); run++) {
      const { header, rows } = random.pick(logs)
      const faulty: FaultAt[] = []
      let at = random.whole(1, rows.length - 12)
      for (let count = random.whole(2, 3); count > 0; count--) {
        faulty.push([random.pick(faults), at])
        at += random.whole(1, 3)
      }
      if (!isAmbiguous(faulty.map(([fault]) => fault))) await expectMended(header, rows, faulty)
    }
  })
})

/** All but the last row, behind which nothing shows that it was there. */
function placesIn(rows: readonly string[]): number[] {
  return rows.slice(1, -1).map((_, index) => index + 1)
}
