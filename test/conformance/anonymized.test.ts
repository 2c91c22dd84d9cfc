/**
 * The logs of the corpus without their content: a copy with the findings, classes and plan of the log and none of its
 * words, or a reason and no file. Needs RESURFACE_CORPUS.
 */
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { anonymized, answersOn, survivors, textOf } from '../support/anonymizing.ts'
import { part } from '../support/effort.ts'
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

describeUnlessMissing(missingCorpus(logs.length), 'logs of the corpus without content', () => {
  const refused: string[] = []
  let written = 0

  test.each(part(logs))('%s', async (file) => {
    const ending = file.endsWith('.zstd') ? '.jsonl.zstd' : '.jsonl'
    const path = join(tempDir(), `log${ending}`)
    copyFileSync(join(corpus as string, file), path)
    const output = path.replace('log.', 'shared.')
    const { exitCode, stderr } = await anonymized(path, output)
    expect([0, 3, 5], stderr).toContain(exitCode)
    expect(existsSync(output)).toBe(exitCode === 0)
    if (exitCode === 5) refused.push(file)
    if (exitCode !== 0) return
    written++
    expect(survivors(await textOf(path), await textOf(output))).toEqual([])
    expect(await answersOn(output, true)).toEqual(await answersOn(path, true))
  })

  /** What was in a damaged frame is not known, so it cannot be replaced. */
  afterAll(() => {
    expect(refused.filter((file) => !file.includes('derived-binary'))).toEqual([])
    if (written + refused.length > part(logs).length / 2)
      expect(written).toBeGreaterThan(0.95 * part(logs).length)
  })
})
