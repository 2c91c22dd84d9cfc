/** Findings by rule, worst rule first, with what to do about it: the order in which people want them. */
import { isFindingCode, ruleOf } from '../../core/findings/rules.ts'
import { remedyText } from '../remedy.ts'
import type { ReportFinding, RuleCount } from '../report.ts'

export interface FindingGroup extends RuleCount {
  readonly title: string
  readonly why: string
  readonly fix: string
  /** The findings that follow from no other one. */
  readonly causes: readonly ReportFinding[]
  /** Codes and numbers of the findings that would not be there without these. */
  readonly consequences: string
}

/** A group for every rule with a finding of its own: what only follows from another is shown there, by its code. */
export function* findingGroups(
  rules: readonly RuleCount[],
  findings: readonly ReportFinding[],
  path: string | undefined,
): Iterable<FindingGroup> {
  for (const { code, severity, count } of rules) {
    if (!isFindingCode(code)) continue
    const own = findings.filter((finding) => finding.code === code)
    const causes = own.filter((finding) => finding.causedBy === undefined)
    if (causes.length === 0) continue
    const { title, why, fix } = ruleOf(code)
    const consequences = consequencesOf(own, findings)
    const remedy = remedyText(fix, path, causes[0])
    yield { code, severity, count, title, why, fix: remedy, causes, consequences }
  }
}

function consequencesOf(causes: readonly ReportFinding[], findings: readonly ReportFinding[]): string {
  const fingerprints = new Set(causes.map(({ fingerprint }) => fingerprint))
  const counts = new Map<string, number>()
  for (const { code, causedBy } of findings) {
    if (causedBy !== undefined && fingerprints.has(causedBy)) counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  return [...counts].map(([code, count]) => (count > 1 ? `${code} (${count})` : code)).join(', ')
}
