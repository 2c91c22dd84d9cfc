/** What a command comes to, with the reports that are made while they are printed. */
import type { Outcome } from '../../src/commands/definition/command.ts'
import type { Report } from '../../src/report/report.ts'

export interface WholeOutcome {
  readonly reports: readonly Report[]
  readonly exitCode: number
}

export async function wholeOutcome(outcome: Outcome): Promise<WholeOutcome> {
  const { live } = outcome
  if (live === undefined || !('reports' in live))
    return { reports: outcome.reportSet.reports, exitCode: outcome.exitCode }
  const reports: Report[] = []
  for await (const report of live.reports) reports.push(report)
  return { reports, exitCode: live.end().exitCode }
}
