/** Every corpus case through `anonymize`: a copy that is the same case without its content, or a reason and no file. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { containerOf } from '../../src/storage/detect.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { anonymized, answersOn, survivors } from '../support/anonymizing.ts'
import { listing } from '../support/listing.ts'
import { reportIn } from '../support/report-in.ts'
import { tempDir } from '../support/temp-dir.ts'
import { ALL, FAMILIES } from './all-cases.ts'
import { writeCase } from './write-case.ts'

/** Cases of logs, and not of something else, without a copy. */
const refused: string[] = []
let written = 0

/** Nobody knows what was in these, and a copy cannot be damaged in the same way. */
const REFUSED: readonly RegExp[] = [/^database-/, /in-a-database$/, /over-the-limit/, /^block-size/]

describe.each(Object.entries(FAMILIES))('%s', (_family, cases) => {
  test.each(cases)('$name', async (wanted) => {
    const root = tempDir()
    const { path } = await writeCase(wanted, root)
    const before = listing(root)
    const folder = tempDir()
    const output = join(folder, 'shared')
    const flags = wanted.dialect === undefined ? [] : ['--dialect', wanted.dialect]
    if (wanted.maxRecord !== undefined) flags.push('--max-record', String(wanted.maxRecord))
    const { exitCode, stdout, stderr } = await anonymized(path, output, ...flags)
    expect(listing(root)).toEqual(before)
    if (exitCode !== 0) {
      expect([2, 3, 5]).toContain(exitCode)
      expect(stderr).toMatch(/\S/)
      expect({ stdout, files: readdirSync(folder) }).toEqual({ stdout: '', files: [] })
      if (exitCode === 5) refused.push(wanted.name)
      return
    }
    written++
    expect(survivors(readFileSync(path, 'latin1'), readFileSync(output, 'latin1'))).toEqual([])
    const limits = {
      ...DEFAULT_LIMITS,
      ...(wanted.maxRecord !== undefined && { maxRecord: wanted.maxRecord }),
    }
    const hasLines = (await containerOf(path)) !== 'sqlite'
    const expected = await answersOn(path, hasLines, limits, wanted.dialect)
    // What is wrong with the container is not always wrong with the copy, which says so.
    const { lacks = [] }: ReportData<'anonymize'> = reportIn(stdout).data
    expect(await answersOn(output, hasLines, limits)).toEqual({
      ...expected,
      findings: expected.findings.filter(({ code }) => !lacks.includes(code)),
      steps: expected.steps.filter(({ finding }) => !lacks.includes(finding ?? '')),
    })
  })
})

afterAll(() => {
  if (written + refused.length < ALL.length / 2) return
  expect(refused.filter((name) => !REFUSED.some((known) => known.test(name)))).toEqual([])
  expect(written).toBeGreaterThan(0.9 * ALL.length)
})
