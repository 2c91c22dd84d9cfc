/** What the formats for CI share. They print reports of `check` only, and they point into the files as they are stored. */
import { isFindingCode, ruleOf } from '../../core/findings/rules.ts'
import type { Report, ReportFinding, RuleCount } from '../report.ts'

/** How often each rule was broken, worst first; more than the listed findings when there are very many. */
export function ruleCountsOf(report: Report<'check'>): readonly RuleCount[] {
  return report.data.rules
}

/** Findings that were counted but are not in the list. */
export function unlistedOf({ code, count }: RuleCount, findings: readonly ReportFinding[]): number {
  return Math.max(count - findings.filter((finding) => finding.code === code).length, 0)
}

/** The rule says that the log was not, or not fully, checked. */
export function leavesUnchecked(code: string): boolean {
  return isFindingCode(code) && ruleOf(code).outcome !== undefined
}

export function pathOf(report: Report<'check'>): string {
  return report.subject?.path ?? ''
}

/** The file that holds the log: `store.db` for `store.db#SESSION`. */
export function fileOf(report: Report<'check'>): string {
  const path = pathOf(report)
  const hash = report.subject?.container === 'sqlite' ? path.lastIndexOf('#') : -1
  return hash > 0 ? path.slice(0, hash) : path
}

/** The line in the file itself. Lines of a packed log are those of what was unpacked: nobody can go there. */
export function fileLineOf({ subject }: Report<'check'>, { line }: ReportFinding): number | undefined {
  return subject?.container === 'jsonl' ? line : undefined
}
