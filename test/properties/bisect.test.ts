/** Whatever the log: the prefix that `bisect` names raises the rule, the one before it does not, and none does earlier. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FindingCode, ruleOf } from '../../src/core/findings/rules.ts'
import { runs } from '../support/effort.ts'
import { damagedLogs } from '../support/line-damage.ts'
import { load } from '../support/load.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { tempFile } from '../support/temp-dir.ts'

/** The rules that each beginning of the log raises, by its number of lines. */
async function raisedBy(log: Buffer): Promise<readonly ReadonlySet<FindingCode>[]> {
  const raised: ReadonlySet<FindingCode>[] = [new Set()]
  for (let end = log.indexOf(10); end !== -1; end = log.indexOf(10, end + 1))
    raised.push((await load(log.subarray(0, end + 1), {})).findings.found())
  if (log.at(-1) !== 10) raised.push((await load(log, {})).findings.found())
  return raised
}

test('a damaged log', async () => {
  await fc.assert(
    fc.asyncProperty(damagedLogs, async (log) => {
      const path = tempFile(log)
      const raised = await raisedBy(log)
      for (const code of raised.at(-1) ?? []) {
        const { stdout, exitCode } = await runMain(['bisect', path, '--rule', code, '--json'])
        const { data, findings } = reportIn(stdout)
        const { line } = data.first
        expect(exitCode, code).toBe(1)
        expect(raised[line], `${code} at ${line}`).toContain(code)
        expect(raised[line - 1], `${code} before ${line}`).not.toContain(code)
        if (!ruleOf(code).settledLater) expect(raised.findIndex((codes) => codes.has(code))).toBe(line)
        expect(data.checks).toBeLessThanOrEqual(4 + Math.ceil(Math.log2(raised.length)))
        expect(new Set(findings.map((finding: { code: string }) => finding.code))).toEqual(new Set([code]))
      }
    }),
    { numRuns: runs(40) },
  )
})
