/** Findings by rule, worst rule first, with what to do about it: the order in which people want them. */
import type { ReportFinding, RuleCount } from '../report.ts'

export interface FindingGroup extends RuleCount {
  /** The findings that follow from no other one. */
  readonly causes: readonly ReportFinding[]
  /** Codes and numbers of the findings that would not be there without these. */
  readonly consequences: string
}

/** A group for every rule with a finding of its own: what only follows from another is shown there, by its code. */
export function* findingGroups(
  rules: readonly RuleCount[],
  findings: readonly ReportFinding[],
): Iterable<FindingGroup> {
  for (const rule of rules) {
    const own = findings.filter(({ code }) => code === rule.code)
    const causes = own.filter((finding) => finding.causedBy === undefined)
    if (causes.length === 0) continue
    yield { ...rule, causes, consequences: consequencesOf(own, findings) }
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
