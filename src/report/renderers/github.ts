/**
 * Workflow commands that annotate files on GitHub. It shows ten of each kind for a step, so the worst come first, no
 * more are printed, and a notice says how many there are besides.
 */
import type { Severity } from '../../core/findings/finding.ts'
import { escapeText } from '../escape-text.ts'
import { plural } from '../number-text.ts'
import { positionText } from '../position-text.ts'
import type { Report, ReportFinding, ReportSet } from '../report.ts'
import { fileLineOf, fileOf, pathOf, ruleCountsOf } from './check-set.ts'

const SHOWN_OF_A_KIND = 10

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

export function* renderGithub(set: ReportSet<'check'>): Iterable<string> {
  const { reports, unread = [] } = set
  const total = countOf(reports, 'error', 'warning', 'info') + unread.length
  const errors = [
    ...unread.map(({ message }) => annotation('error', ['title=resurface'], [message])),
    ...annotationsOf(reports, 'error'),
  ].slice(0, SHOWN_OF_A_KIND)
  const warnings = annotationsOf(reports, 'warning').slice(0, SHOWN_OF_A_KIND)
  const notices = annotationsOf(reports, 'info')
  // The notice about the rest takes one of the ten places of its kind.
  const isComplete = errors.length + warnings.length + Math.min(notices.length, SHOWN_OF_A_KIND) === total
  const shown = [
    ...errors,
    ...warnings,
    ...notices.slice(0, isComplete ? SHOWN_OF_A_KIND : SHOWN_OF_A_KIND - 1),
  ]
  yield* shown
  if (!isComplete) {
    const rest = `${plural(total - shown.length, 'more finding')} without an annotation`
    yield annotation('notice', ['title=resurface'], [`${rest}: GitHub shows ${SHOWN_OF_A_KIND} of a kind`])
  }
  yield `${summaryOf(set)}\n`
}

function summaryOf({ reports, unread = [] }: ReportSet<'check'>): string {
  const parts = [
    plural(countOf(reports, 'error'), 'error'),
    plural(countOf(reports, 'warning'), 'warning'),
    plural(countOf(reports, 'info'), 'note'),
    ...(unread.length > 0 ? [`${plural(unread.length, 'input')} not read`] : []),
  ]
  return `${plural(reports.length, 'log')} checked: ${parts.join(', ')}`
}

function countOf(reports: readonly Report<'check'>[], ...severities: readonly Severity[]): number {
  const counted = reports.flatMap(ruleCountsOf).filter(({ severity }) => severities.includes(severity))
  return counted.reduce((sum, { count }) => sum + count, 0)
}

/** Causes before what only follows from them. */
function annotationsOf(reports: readonly Report<'check'>[], severity: Severity): readonly string[] {
  const follows = (finding: ReportFinding): number => (finding.causedBy === undefined ? 0 : 1)
  return reports
    .flatMap((report) => report.findings.map((finding) => ({ finding, report })))
    .filter(({ finding }) => finding.severity === severity)
    .toSorted((a, b) => follows(a.finding) - follows(b.finding))
    .map(({ finding, report }) => findingAnnotation(finding, report))
}

function findingAnnotation(finding: ReportFinding, report: Report<'check'>): string {
  const file = fileOf(report)
  const line = fileLineOf(report, finding)
  // Standard input is no file that GitHub could show.
  const place =
    file === '-' ? [] : [`file=${property(file)}`, ...(line === undefined ? [] : [`line=${line}`])]
  const where = [pathOf(report), positionText(finding)].filter((part) => part !== '').join(', ')
  const fix = ruleCountsOf(report).flatMap((rule) => (rule.code === finding.code ? [rule.fix] : []))
  return annotation(
    COMMANDS[finding.severity],
    [...place, `title=${property(finding.code)}`],
    [`${where}: ${finding.message}`, ...fix],
  )
}

function annotation(command: string, properties: readonly string[], lines: readonly string[]): string {
  return `::${command} ${properties.join(',')}::${data(lines.map(escapeText).join('\n'))}\n`
}

function property(text: string): string {
  return data(escapeText(text)).replace(/:/g, '%3A').replace(/,/g, '%2C')
}

function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
}
