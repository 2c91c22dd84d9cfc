/**
 * A second generator against DSH 0.1.0-rc.8: logs that are written from the specification, not by anything that behaves
 * like a session. Both sides have to agree on acceptance, events, surface, messages and closers, whatever the seed.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runs } from '../../support/effort.ts'
import { describeUnlessMissing } from '../../support/unless-missing.ts'
import { compareAnswers } from '../compare-answers.ts'
import { DshProcess, missingOracle } from '../dsh-process.ts'
import { Random } from '../random.ts'
import { resurfaceAnswer } from '../resurface-answer.ts'
import { explained } from './explained.ts'
import { specifiedLog } from './specified-log.ts'

const seed = process.env.RESURFACE_SEED ?? 'resurface'
const LOGS = runs(20_000, 40)
const PER_BATCH = 50
const MOST_SHOWN = 10

describeUnlessMissing(missingOracle(), `logs from the specification, RESURFACE_SEED=${seed}`, () => {
  let folder: string
  let dsh: DshProcess
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'resurface-specified-'))
    dsh = new DshProcess()
  })
  afterAll(async () => {
    await dsh.stop()
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
  })

  /** Differences between the answers about one log; the log stays when there are any. */
  async function judge(index: number): Promise<{ accepted: boolean; evidence?: string }> {
    const { text, twists } = specifiedLog(new Random(`${seed} specified ${index}`))
    const file = join(folder, `${index}.jsonl`)
    writeFileSync(file, text)
    const [theirs, ours] = await Promise.all([dsh.ask(file), resurfaceAnswer(file)])
    const disagreements = explained(theirs, ours) ? [] : compareAnswers(theirs, ours)
    if (disagreements.length === 0) {
      rmSync(file)
      return { accepted: theirs.accepted }
    }
    const what = {
      file,
      twists,
      disagreements,
      error: theirs.accepted ? undefined : theirs.error,
      codes: ours.codes,
    }
    return { accepted: theirs.accepted, evidence: JSON.stringify(what, null, 1) }
  }

  test(`${LOGS} logs, and no difference that is not explained`, { timeout: 1_200_000 }, async () => {
    const evidence: string[] = []
    let accepted = 0
    for (let first = 0; first < LOGS && evidence.length < MOST_SHOWN; first += PER_BATCH) {
      const indices = Array.from({ length: Math.min(PER_BATCH, LOGS - first) }, (_, index) => first + index)
      for (const one of await Promise.all(indices.map(judge))) {
        if (one.accepted) accepted++
        if (one.evidence !== undefined) evidence.push(one.evidence)
      }
    }
    expect(evidence).toEqual([])
    // A generator whose logs are all refused, or all accepted, would compare little.
    expect(accepted / LOGS).toBeGreaterThan(0.3)
    expect(accepted / LOGS).toBeLessThan(0.9)
  })
})
