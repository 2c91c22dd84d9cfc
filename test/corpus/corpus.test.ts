/** Every case through the command `check`, and every rule with a case and a near miss. */
import { describe, expect, test } from 'vitest'
import { command } from '../../src/commands/check.ts'
import { wholeOutcome } from '../../src/commands/definition/whole-outcome.ts'
import { type FindingCode, isFindingCode, RULES, ruleOf } from '../../src/core/findings/rules.ts'
import type { Report, ReportData } from '../../src/report/report.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { commandContext } from '../support/context.ts'
import { tempDir } from '../support/temp-dir.ts'
import { ALL, FAMILIES } from './all-cases.ts'
import type { Case } from './case.ts'
import { writeCase } from './write-case.ts'

async function check(wanted: Case): Promise<{ report: Report; exitCode: number }> {
  const { maxRecord, dialect, target, profile } = wanted
  const { path, named } = await writeCase(wanted, tempDir())
  const limits = { ...DEFAULT_LIMITS, ...(maxRecord !== undefined && { maxRecord }) }
  const context = commandContext({ limits, ...(dialect !== undefined && { lookAlike: dialect }) })
  const outcome = await command.call([[named]], { target, profile }).run(context)
  const { reportSet, exitCode } = await wholeOutcome(outcome)
  const { reports } = reportSet
  // A session of a database is named after the file.
  const report = reports.find(({ subject }) => subject?.path.split('#')[0] === path)
  if (report === undefined) throw new Error(`no report on ${path}`)
  return { report, exitCode }
}

describe.each(Object.entries(FAMILIES))('%s', (_family, cases) => {
  test.each(cases)('$name', async (wanted) => {
    const { report, exitCode } = await check(wanted)
    const { verdict, data } = report
    // What later releases mind has cases of its own.
    const isOfUpgrades = cases === FAMILIES.upgrade || wanted.target !== undefined
    const findings = isOfUpgrades ? report.findings : report.findings.filter(({ code }) => !isUpgrade(code))
    const byPrint = new Map(findings.map((finding) => [finding.fingerprint, finding.code]))
    const found = findings.map(({ causedBy, ...finding }) =>
      causedBy === undefined ? finding : { ...finding, causedBy: byPrint.get(causedBy) },
    )
    expect(found.map(({ code }) => code)).toEqual(wanted.findings.map(({ code }) => code))
    expect(found).toMatchObject(wanted.findings)
    const { opens } = data as unknown as ReportData<'check'>
    const own = verdict === 'refused-by-newer' && !isOfUpgrades ? 'clean' : verdict
    expect({ verdict: own, exitCode, opens }).toEqual({
      verdict: wanted.verdict,
      exitCode: wanted.exitCode,
      opens: wanted.opens,
    })
  })
})

const isUpgrade = (code: string): boolean => isFindingCode(code) && ruleOf(code).upgrade === true

const covered = (Object.keys(RULES) as FindingCode[]).filter((code) => ruleOf(code).noExample === undefined)

describe('every rule', () => {
  test.each(covered)('%s has a case that breaks it', (code) => {
    expect(ALL.some(({ findings }) => findings.some((finding) => finding.code === code))).toBe(true)
  })

  test.each(covered)('%s has a near miss', (code) => {
    const misses = ALL.filter(({ nearMissOf = [] }) => nearMissOf.includes(code))
    expect(misses.length).toBeGreaterThan(0)
    for (const { findings } of misses) expect(findings.map((finding) => finding.code)).not.toContain(code)
  })
})

test('case names are unique, and every case says why', () => {
  const names = ALL.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const { why } of ALL) expect(why).toMatch(/\S/)
})
