/** A rule that no log breaks gets one row in its family, and everything that reads the registry knows it. */
import { expect, test, vi } from 'vitest'
import type { Finding } from '../../../src/core/findings/finding.ts'
import { FindingLog } from '../../../src/core/findings/finding-log.ts'
import { type FindingCode, isFindingCode } from '../../../src/core/findings/rules.ts'
import { judge } from '../../../src/core/findings/verdict.ts'
import { lineSteps } from '../../../src/load/repair/order-steps.ts'
import { reportFinding } from '../../../src/report/log-report.ts'
import { rulesPage } from '../../../src/report/rules-page.ts'
import { runMain } from '../../support/run-main.ts'
import { base } from '../../support/sample-logs.ts'
import { tempFile } from '../../support/temp-dir.ts'

const CODE = 'turn/made-up' as FindingCode

/** The one row. */
vi.mock(import('../../../src/core/findings/rules/turns.ts'), async (original) => {
  const rules = await original()
  const { family } = await import('../../../src/core/findings/rule.ts')
  const added = family(
    { severity: 'error', layer: 'meaning', source: 'nowhere', refused: true, lint: true },
    {
      'turn/made-up': {
        title: 'a turn is made up',
        why: 'Nobody took it.',
        fix: 'Look at it with "resurface why LOG SEQ".',
        repairable: true,
        repairs: ['rewrite-frames'],
        args: { turn: 'value', times: 'count' },
        message: (a) => `turn ${a.turn} is made up${a.times === 1 ? '' : ' again'}`,
      },
    },
  )
  return { ...rules, TURN: { ...rules.TURN, ...added } }
})

const finding = {
  code: CODE,
  origin: { line: 3 },
  seq: 1,
  args: { turn: { deep: true }, times: 2 },
} as unknown as Finding

test('a check counts it, words it and judges by it', () => {
  const log = new FindingLog()
  log.add(finding)
  expect(log.counts()).toEqual([{ code: CODE, severity: 'error', count: 1 }])
  expect(reportFinding(finding, log)).toMatchObject({
    code: CODE,
    layer: 'meaning',
    message: 'turn an object is made up again',
  })
  expect(judge(log.counts())).toMatchObject({ verdict: 'findings', opens: false, exitCode: 1 })
})

test('the command line knows it: its severity can be set, and explain tells of it', async () => {
  expect(isFindingCode(CODE)).toBe(true)
  const told = await runMain(['explain', CODE])
  expect(told.stdout).toContain('a turn is made up')
  const { exitCode } = await runMain(['check', tempFile(base().bytes()), '--severity', `${CODE}=warning`])
  expect(exitCode).toBe(0)
})

test('the documentation has it, with the steps of a repair that answer it', () => {
  const page = [...rulesPage({})].join('')
  expect(page).toContain(`### ${CODE}\n\n**error**: a turn is made up.`)
  expect(page).toContain('- Repairable: yes (rewrite-frames)')
})

test('a repair answers it with the step that it names', () => {
  const counts = [{ code: CODE, severity: 'error' as const, count: 1 }]
  expect(lineSteps(new Map(), { counts, findings: [finding] })).toMatchObject([
    { kind: 'rewrite-frames', finding: CODE, count: 1 },
  ])
})
