/**
 * A line for each finding, `path:line: error: message [code]`, as compilers print them: editors and pagers know the form.
 * The line number is there where the log is a text that has lines.
 */
import { escapeText } from '../escape-text.ts'
import { plural } from '../number-text.ts'
import { positionText } from '../position-text.ts'
import type { Report, ReportFinding, ReportSet } from '../report.ts'
import { fileLineOf, pathOf, ruleCountsOf, unlistedOf } from './check-set.ts'

export function* renderLines({ reports, unread = [] }: ReportSet<'check'>): Iterable<string> {
  for (const report of reports) {
    const path = escapeText(pathOf(report))
    for (const finding of report.findings)
      yield `${path}${placeOf(report, finding)}: ${escapeText(finding.message)} [${escapeText(finding.code)}]\n`
    for (const rule of ruleCountsOf(report)) {
      const unlisted = unlistedOf(rule, report.findings)
      if (unlisted > 0)
        yield `${path}: ${rule.severity}: ${plural(unlisted, 'more finding')} [${escapeText(rule.code)}]\n`
    }
  }
  for (const { path, message } of unread) yield `${escapeText(path)}: error: ${escapeText(message)}\n`
}

function placeOf(report: Report<'check'>, finding: ReportFinding): string {
  const line = fileLineOf(report, finding)
  if (line !== undefined) return `:${line}: ${finding.severity}`
  const position = positionText(finding)
  return `: ${finding.severity}${position === '' ? '' : `: ${position}`}`
}
