/** Every case through the command `check`, and every rule with a case and a near miss. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { command } from '../../src/commands/check.ts'
import { type FindingCode, RULES } from '../../src/core/findings/rules.ts'
import type { Report, ReportSet } from '../../src/report/report.ts'
import type { CheckData } from '../../src/report/views/check-view.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { commandContext } from '../support/context.ts'
import { tempDir } from '../support/temp-dir.ts'
import type { Case, Content } from './case.ts'
import { cases as bookkeeping } from './cases/bookkeeping.ts'
import { cases as bytes } from './cases/bytes.ts'
import { cases as database } from './cases/database.ts'
import { cases as envelope } from './cases/envelope.ts'
import { cases as frame } from './cases/frame.ts'
import { cases as header } from './cases/header.ts'
import { cases as laterFormat } from './cases/later-format.ts'
import { cases as legacy } from './cases/legacy.ts'
import { cases as message } from './cases/message.ts'
import { cases as order } from './cases/order.ts'
import { cases as pair } from './cases/pair.ts'
import { cases as plugin } from './cases/plugin.ts'
import { cases as relation } from './cases/relation.ts'
import { cases as seed } from './cases/seed.ts'
import { cases as store } from './cases/store.ts'
import { cases as surface } from './cases/surface.ts'
import { cases as turn } from './cases/turn.ts'
import { cases as vocabulary } from './cases/vocabulary.ts'

const FAMILIES = {
  bytes,
  frame,
  database,
  store,
  header,
  order,
  envelope,
  message,
  surface,
  pair,
  turn,
  vocabulary,
  plugin,
  legacy,
  bookkeeping,
  'later-format': laterFormat,
  seed,
  relation,
}
const ALL: readonly Case[] = Object.values(FAMILIES).flat()

async function bytesOf(content: Content): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content
  return typeof content === 'function' ? content() : content.bytes()
}

async function check(wanted: Case): Promise<{ report: Report; exitCode: number }> {
  const { log, file = 'log.jsonl', named = file, beside = {}, maxRecord, dialect, target, profile } = wanted
  const root = tempDir()
  for (const [name, content] of Object.entries({ ...beside, [file]: log })) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, await bytesOf(content))
  }
  const limits = { ...DEFAULT_LIMITS, ...(maxRecord !== undefined && { maxRecord }) }
  const context = commandContext({ limits, ...(dialect !== undefined && { dialect }) })
  const { answer, exitCode } = await command.run([[join(root, named)]], { target, profile }, context)
  const reports = (answer as ReportSet).reports ?? [answer as Report]
  // A session of a database is named behind the file.
  const report = reports.find(({ subject }) => subject?.path.split('#')[0] === join(root, file))
  if (report === undefined) throw new Error(`no report on ${file}`)
  return { report, exitCode }
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

/** Rules that no file at rest can break. */
const ELSEWHERE: readonly (readonly [pattern: RegExp, reason: string])[] = [
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
