/** Every corpus case with secrets in it through `anonymize --only secrets`: a copy that is the same case, or a reason. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { containerOf } from '../../src/storage/detect.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { anonymized, answersOn } from '../support/anonymizing.ts'
import { MADE_SECRETS } from '../support/made-secrets.ts'
import { reportIn } from '../support/report-in.ts'
import { tempDir } from '../support/temp-dir.ts'
import { ALL, FAMILIES } from './all-cases.ts'
import { writeCase } from './write-case.ts'

const ONLY = ['--only', 'secrets']
/** Nobody knows what was in these, and a copy cannot be damaged in the same way. */
const REFUSED: readonly RegExp[] = [/^database-/, /in-a-database$/, /over-the-limit/, /^block-size/]

const { secret = '' } = MADE_SECRETS['GitHub token'] ?? {}
const planted = `${secret} \\n${MADE_SECRETS['mail address']?.secret}, see C:\\\\Users\\\\mallory\\\\x `

/** Secrets in texts, in arguments of tools and in the header, wherever a log of lines has them. */
function plant(path: string): boolean {
  const text = readFileSync(path, 'latin1')
  const changed = text
    .replaceAll('"text":"', `"text":"${planted}`)
    .replaceAll('"arguments":"{}"', `"arguments":"{\\"${secret}\\":\\"\\\\n${secret}\\"}"`)
    .replace('"cwd":"/', '"cwd":"/home/mallory/')
  if (!text.startsWith('{') || changed === text) return false
  writeFileSync(path, changed, 'latin1')
  return true
}

const refused: string[] = []
let written = 0
let withSecrets = 0

describe.each(Object.entries(FAMILIES))('%s', (_family, cases) => {
  test.each(cases)('$name', async (wanted) => {
    const { path } = await writeCase(wanted, tempDir())
    const isPlanted = wanted.maxRecord === undefined && plant(path)
    const folder = tempDir()
    const output = join(folder, 'shared')
    const flags = wanted.dialect === undefined ? [] : ['--dialect', wanted.dialect]
    if (wanted.maxRecord !== undefined) flags.push('--max-record', String(wanted.maxRecord))
    const { exitCode, stdout, stderr } = await anonymized(path, output, ...ONLY, ...flags)
    if (exitCode !== 0) {
      expect([2, 3, 5]).toContain(exitCode)
      expect(stderr).toMatch(/\S/)
      expect({ stdout, files: readdirSync(folder) }).toEqual({ stdout: '', files: [] })
      if (exitCode === 5) refused.push(wanted.name)
      return
    }
    written++
    const limits = {
      ...DEFAULT_LIMITS,
      ...(wanted.maxRecord !== undefined && { maxRecord: wanted.maxRecord }),
    }
    const hasLines = (await containerOf(path)) !== 'sqlite'
    const expected = await answersOn(path, hasLines, limits, wanted.dialect)
    const { lacks = [], secrets = [] }: ReportData<'anonymize'> = reportIn(stdout).data
    expect(await answersOn(output, hasLines, limits)).toEqual({
      ...expected,
      findings: expected.findings.filter(({ code }) => !lacks.includes(code)),
      steps: expected.steps.filter(({ finding }) => !lacks.includes(finding ?? '')),
    })
    const copy = readFileSync(output, 'latin1')
    expect(`${stdout}${copy}`).not.toContain(secret)
    if (isPlanted) expect(`${stdout}${copy}`).not.toContain('mallory')
    if (secrets.length === 0) return
    withSecrets++
    // A copy has nothing left to replace, and is the same bytes when it is copied again.
    const again = join(folder, 'again')
    const second = await anonymized(output, again, ...ONLY)
    if (second.exitCode !== 0) return
    expect(reportIn(second.stdout).data.secrets).toEqual([])
    expect(readFileSync(again, 'latin1')).toBe(copy)
  })
})

afterAll(() => {
  if (written + refused.length < ALL.length / 2) return
  expect(refused.filter((name) => !REFUSED.some((known) => known.test(name)))).toEqual([])
  expect(written).toBeGreaterThan(0.9 * ALL.length)
  expect(withSecrets).toBeGreaterThan(0.5 * ALL.length)
})
