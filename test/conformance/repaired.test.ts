/**
 * The logs of the corpus that a repair changes: what it writes is opened by the real code where that knows the format,
 * with nothing left to close and messages that a provider takes. A log that the real code accepts as it is, and that
 * we call clean, is never changed. Needs RESURFACE_CORPUS, and the installed oracle for the first half.
 */

import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { DshProcess, missingOracle } from '../oracle/dsh-process.ts'
import { part } from '../support/effort.ts'
import { providerProblem } from '../support/provider-order.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { tempDir } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { missingCorpus } from './missing-corpus.ts'

const corpus = process.env.RESURFACE_CORPUS
const logs =
  corpus === undefined || !existsSync(corpus)
    ? []
    : readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /\.jsonl(\.zstd)?$/.test(file),
      )

/** Named without the folders of a store, so that its place says nothing about it. */
function placed(file: string): string {
  const path = join(tempDir(), file.endsWith('.zstd') ? 'log.jsonl.zstd' : 'log.jsonl')
  copyFileSync(join(corpus as string, file), path)
  return path
}

describeUnlessMissing(missingCorpus(logs.length), 'repaired logs of the corpus', () => {
  let dsh: DshProcess | undefined
  beforeAll(() => {
    if (missingOracle() === undefined) dsh = new DshProcess()
  })
  afterAll(() => dsh?.stop())

  test.each(part(logs))('%s', async (file) => {
    const path = placed(file)
    const original = readFileSync(path)
    const output = path.replace('log.', 'repaired.')
    const checked = await runMain(['check', path, '--json'])
    const { exitCode, stdout } = await runMain(['repair', path, '-o', output, '--json'])
    expect([0, 1, 3, 5]).toContain(exitCode)
    if (![0, 1].includes(exitCode)) {
      expect(existsSync(output)).toBe(false)
      return
    }
    const report = reportIn(stdout)
    const data = report.data as ReportData<'repair'>
    if (reportIn(checked.stdout).verdict === 'clean') expect(data.steps).toEqual([])
    // Nothing to repair is nothing to write: the log is then its own repair.
    expect(existsSync(output)).toBe(data.steps.length > 0)
    const result = data.steps.length > 0 ? output : path
    expect(readFileSync(path).equals(original)).toBe(true)
    const again = await runMain(['repair', result, '--json'])
    expect((reportIn(again.stdout).data as ReportData<'repair'>).steps).toEqual([])
    if (dsh === undefined || report.subject.format !== 0) return
    const plain = path.replace('log.jsonl', 'plain.jsonl').replace('.zstd', '')
    await runMain(['convert', result, '-o', plain, '--to', 'jsonl'])
    const answer = await dsh.ask(plain, result.endsWith('.zstd') ? result : undefined)
    expect(answer.accepted ? 'it opens' : answer.error).toBe('it opens')
    if (!answer.accepted) return
    expect(answer.closers).toEqual([])
    if (data.remaining === undefined) expect(providerProblem(answer.messages)).toBeUndefined()
  })
})
