/** Every case through the command `check`, and every rule with a case and a near miss. */
import { describe, expect, test } from 'vitest'
import { command } from '../../src/commands/check.ts'
import { type FindingCode, RULES } from '../../src/core/findings/rules.ts'
import type { Report } from '../../src/report/report.ts'
import type { CheckData } from '../../src/report/views/check-view.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { commandContext } from '../support/context.ts'
import { tempFile } from '../support/temp-dir.ts'
import type { Case } from './case.ts'
import { cases as bytes } from './cases/bytes.ts'
import { cases as envelope } from './cases/envelope.ts'
import { cases as header } from './cases/header.ts'
import { cases as legacy } from './cases/legacy.ts'
import { cases as message } from './cases/message.ts'
import { cases as order } from './cases/order.ts'
import { cases as pair } from './cases/pair.ts'
import { cases as surface } from './cases/surface.ts'
import { cases as turn } from './cases/turn.ts'
import { cases as vocabulary } from './cases/vocabulary.ts'

const FAMILIES = { bytes, header, order, envelope, message, surface, pair, turn, vocabulary, legacy }
const ALL: readonly Case[] = Object.values(FAMILIES).flat()

async function check({ log, maxRecord }: Case): Promise<{ report: Report; exitCode: number }> {
  const path = tempFile(Buffer.isBuffer(log) ? log : log.bytes())
  const limits = { ...DEFAULT_LIMITS, ...(maxRecord !== undefined && { maxRecord }) }
  const { answer, exitCode } = await command.run([[path]], {}, commandContext({ limits }))
  return { report: answer as Report, exitCode }
}

describe.each(Object.entries(FAMILIES))('%s', (_family, cases) => {
  test.each(cases)('$name', async (wanted) => {
    const { report, exitCode } = await check(wanted)
    const { findings, verdict, data } = report
    const byPrint = new Map(findings.map((finding) => [finding.fingerprint, finding.code]))
    const found = findings.map(({ causedBy, ...finding }) =>
      causedBy === undefined ? finding : { ...finding, causedBy: byPrint.get(causedBy) },
    )
    expect(found.map(({ code }) => code)).toEqual(wanted.findings.map(({ code }) => code))
    expect(found).toMatchObject(wanted.findings)
    const { opens } = data as unknown as CheckData
    expect({ verdict, exitCode, opens }).toEqual({
      verdict: wanted.verdict,
      exitCode: wanted.exitCode,
      opens: wanted.opens,
    })
  })
})

/** Rules that a plain log of format 0 cannot break, and where they are tested. */
const ELSEWHERE: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^bytes\/(torn-frame|corrupt-frame|frame-.*|header-frame|container-name)$/, 'compressed logs'],
  [/^database\//, 'databases'],
  [/^store\//, 'the place of a log among others'],
  [/^format\/dialect$/, 'recordings that look like logs'],
  [/^(seed|relation)\//, 'formats 1 to 4'],
  [/^(format\/foreign-shape|message\/settlement-invalid)$/, 'formats 1 to 4'],
  [/^surface\/(sources-embedded|head-protected|offload-invalid)$/, 'formats 1 to 4'],
  [/^surface\/not-contiguous$/, 'raised by the strict session alone; a reader says order/…'],
  [/^bytes\/changed-while-reading$/, 'needs a second writer'],
]

const covered = (Object.keys(RULES) as FindingCode[]).filter(
  (code) => !ELSEWHERE.some(([pattern]) => pattern.test(code)),
)

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
