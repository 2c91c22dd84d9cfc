/**
 * The campaign: every member of the rich logs changed in every way, and the verdicts of resurface about the releases of
 * the formats 2 and 3 compared with those of the published readers. A share of it runs with every test run; all of it
 * (about two minutes) with `npm run test:full`.
 */
import { expect, test } from 'vitest'
import { isFull } from '../../support/effort.ts'
import { describeUnlessMissing } from '../../support/unless-missing.ts'
import { missingReaders } from '../readers-process.ts'
import { runCampaign } from './campaign.ts'
import { isKept } from './differences.ts'

const seed = process.env.RESURFACE_SEED ?? 'resurface'
const TIMEOUT = 900_000
/** Part of the verdicts that have to be equal. */
const AGREEMENT = 0.995
const MOST_SHOWN = 40

describeUnlessMissing(missingReaders(), `members changed one at a time, RESURFACE_SEED=${seed}`, () => {
  test('verdicts of both sides', { timeout: TIMEOUT }, async () => {
    const { asked, mismatches } = await runCampaign({
      versions: [0, 1, 2, 3],
      share: isFull ? 1 : 0.01,
      seed,
    })
    const shown = mismatches
      .filter((mismatch) => !isKept(mismatch))
      .slice(0, MOST_SHOWN)
      .map(({ log, version, format, mutant, opens, why }) =>
        [`${log}, ${version} to ${format}`, mutant.type, mutant.path, mutant.change, opens, why].join(' | '),
      )
    expect(asked).toBeGreaterThan(1000)
    expect(shown).toEqual([])
    expect((asked - mismatches.length) / asked, shown.join('\n')).toBeGreaterThanOrEqual(AGREEMENT)
  })
})
