/** A share of the mutants, upgraded; all of them with `npm run test:full`. */
import { expect, test } from 'vitest'
import { isFull } from '../../support/effort.ts'
import { describeUnlessMissing } from '../../support/unless-missing.ts'
import { missingReaders } from '../readers-process.ts'
import { upgradeCampaign } from './upgrade-campaign.ts'

const seed = process.env.RESURFACE_SEED ?? 'resurface'
const TIMEOUT = 1_800_000

describeUnlessMissing(missingReaders(), `upgrades of mutants, RESURFACE_SEED=${seed}`, () => {
  test('what is said to be mended opens, and what opens stays', { timeout: TIMEOUT }, async () => {
    const { asked, mended, faults } = await upgradeCampaign([0, 1, 2], isFull ? 1 : 0.004, seed)
    expect(asked).toBeGreaterThan(200)
    expect(mended).toBeGreaterThan(asked / 4)
    // An empty id names no file: the store refuses it before any reader is asked.
    const told = faults.filter(({ mutant }) => !(mutant.type === 'session' && mutant.path === 'id'))
    expect(
      told.map(({ log, mutant, problem }) => [log, mutant.type, mutant.path, mutant.change, problem]),
    ).toEqual([])
  })
})
