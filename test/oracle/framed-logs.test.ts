/**
 * Damage inside zstd frames and across them, shown to resurface and to DSH: one damage or two in each log, in frames as
 * they are stored by the project and as they are compressed by Node. RESURFACE_SEED chooses other logs.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { zstdFile } from '../../src/storage/zstd/zstd-file.ts'
import { runs } from '../support/effort.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { compareAnswers } from './compare-answers.ts'
import { DshProcess, missingOracle } from './dsh-process.ts'
import { framedLog } from './framed-log.ts'
import { resurfaceAnswer } from './resurface-answer.ts'

const seed = process.env.RESURFACE_SEED ?? 'resurface'
const LOGS = Number(process.env.RESURFACE_FRAMED_LOGS ?? runs(5000, 25))
const LOGS_PER_BATCH = 50
const batches = Array.from({ length: Math.ceil(LOGS / LOGS_PER_BATCH) }, (_, index) => index)

describeUnlessMissing(missingOracle(), `zstd logs against DSH 0.1.0-rc.8, RESURFACE_SEED=${seed}`, () => {
  let folder: string
  let dsh: DshProcess

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'resurface-frames-'))
    dsh = new DshProcess()
  })

  afterAll(async () => {
    await dsh.stop()
    // A log that somebody has to look into stays behind.
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
  })

  test.each(batches)('batch %i', async (batch) => {
    const indices = Array.from({ length: LOGS_PER_BATCH }, (_, index) => batch * LOGS_PER_BATCH + index)
    const differences = await Promise.all(indices.map(compared))
    expect(differences.filter((difference) => difference !== undefined)).toEqual([])
  })

  async function compared(index: number): Promise<object | undefined> {
    const log = await framedLog(`${seed} frames ${index}`, dsh)
    const plain = join(folder, `${index}.jsonl`)
    writeFileSync(plain, log.plain)
    const stored = join(folder, `${index}.jsonl.zstd`)
    writeFileSync(stored, log.stored)
    const [answer, own] = await Promise.all([
      dsh.ask(plain, stored),
      resurfaceAnswer(stored, zstdFile(stored, DEFAULT_LIMITS)),
    ])
    const differences = compareAnswers(answer, own)
    if (differences.length > 0) return { name: log.name, stored, differences }
    rmSync(plain)
    rmSync(stored)
    return undefined
  }
})
