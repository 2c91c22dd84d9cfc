/**
 * docs/rule-examples.json holds what the corpus gives, and every example in it does what it is there for.
 * RESURFACE_UPDATE=1, or `npm run docs`, writes it anew.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type FindingCode, RULES, ruleOf } from '../../src/core/findings/rules.ts'
import type { RuleExamples } from '../../src/report/rule-example.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { tempDir } from '../support/temp-dir.ts'
import { examplesText, ruleExamples } from './rule-examples.ts'

const path = new URL('../../docs/rule-examples.json', import.meta.url)
const CODES = Object.keys(RULES) as FindingCode[]

test('docs/rule-examples.json is what the present corpus gives', async () => {
  const stored = existsSync(path) ? readFileSync(path, 'utf8') : '{}'
  const present = examplesText(await ruleExamples(JSON.parse(stored) as RuleExamples))
  if (process.env.RESURFACE_UPDATE === '1') writeFileSync(path, present)
  else expect(stored).toBe(present)
})

describe('every rule', () => {
  test.each(CODES.filter((code) => ruleOf(code).noExample === undefined))(
    '%s: its example, written by the command, raises it',
    async (code) => {
      const folder = join(tempDir(), 'example')
      const told = await runMain(['explain', code, '--example', folder, '--json'])
      const { example } = reportIn(told.stdout).data.rules[0]
      const checked = await runMain(['check', join(folder, example.named), ...example.options, '--json'])
      const { reports } = JSON.parse(checked.stdout)
      const found = reports.flatMap(
        ({ findings }: { findings: readonly { code: string; line?: number }[] }) =>
          findings.filter((finding) => finding.code === code),
      )
      expect(found).not.toEqual([])
      if (example.line !== undefined)
        expect(found.map(({ line }: { line?: number }) => line)).toContain(example.line)
    },
  )

  test('has an example, or a sentence instead', () => {
    const examples = JSON.parse(readFileSync(path, 'utf8')) as RuleExamples
    for (const code of CODES)
      expect(examples[code] === undefined, code).toBe(ruleOf(code).noExample !== undefined)
    expect(Object.keys(examples).filter((code) => !Object.hasOwn(RULES, code))).toEqual([])
  })

  test('has an example that fits on a screen', () => {
    const examples = JSON.parse(readFileSync(path, 'utf8')) as RuleExamples
    for (const [code, { files }] of Object.entries(examples))
      expect(files[0]?.lines?.length ?? 0, code).toBeLessThan(25)
  })
})
