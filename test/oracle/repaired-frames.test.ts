/**
 * Compressed logs with damage inside frames and across them, repaired: the published packages open every one of them. A
 * repair that needs a choice is rare.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { runs } from '../support/effort.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { tempDir } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { DshProcess, missingOracle } from './dsh-process.ts'
import { framedLog } from './framed-log.ts'

const seed = process.env.RESURFACE_SEED ?? 'resurface'
const LOGS = Number(process.env.RESURFACE_FRAMED_LOGS ?? runs(400, 10))

describeUnlessMissing(missingOracle(), `repaired zstd logs, RESURFACE_SEED=${seed}`, () => {
  let dsh: DshProcess
  beforeAll(() => {
    dsh = new DshProcess()
  })
  afterAll(() => dsh.stop())

  test('DSH opens what a repair writes', { timeout: 600_000 }, async () => {
    const wrong: object[] = []
    let undecided = 0
    for (let index = 0; index < LOGS; index++) {
      const { name, plain, stored } = await framedLog(`${seed} repaired frames ${index}`, dsh)
      const folder = tempDir()
      const path = join(folder, 'log.jsonl.zstd')
      const output = join(folder, 'repaired.jsonl.zstd')
      writeFileSync(join(folder, 'plain.jsonl'), plain)
      writeFileSync(path, stored)
      const { stdout } = await runMain(['repair', path, '-o', output, '--json'])
      const data = reportIn(stdout).data as ReportData<'repair'>
      if (data.refused !== undefined) undecided++
      else if (data.steps.length > 0) {
        const answer = await dsh.ask(join(folder, 'plain.jsonl'), output)
        if (!answer.accepted) wrong.push({ name, path, error: answer.error })
      }
    }
    expect(wrong).toEqual([])
    expect(undecided / LOGS).toBeLessThan(0.1)
  })
})
