/**
 * Workflow commands that annotate files on GitHub. It shows ten of each kind for a step, so the worst come first, no
 * more are printed, and a notice says how many there are besides.
 */
import type { Severity } from '../../core/findings/finding.ts'
import { escapeText } from '../escape-text.ts'
import { plural, positionText } from '../position-text.ts'
import type { Report, ReportFinding, ReportSet } from '../report.ts'
import { fileLineOf, fileOf, reportsOf, ruleCountsOf } from './check-answer.ts'

const SHOWN_OF_A_KIND = 10

const KINDS: readonly (readonly [severity: Severity, command: string])[] = [
  ['error', 'error'],
  ['warning', 'warning'],
  ['info', 'notice'],
]

interface Placed {
  readonly finding: ReportFinding
  readonly report: Report
}

export function* renderGithub(answer: Report | ReportSet): Iterable<string> {
  const reports = reportsOf(answer)
  const placed = reports.flatMap((report) => report.findings.map((finding) => ({ finding, report })))
  const total = countOf(reports, ['error', 'warning', 'info'])
  let printed = 0
  for (const [severity, command] of KINDS) {
    const own = causesFirst(placed.filter(({ finding }) => finding.severity === severity))
    // The closing notice takes one of the ten places of its kind.
    const room = severity === 'info' && printed + own.length < total ? SHOWN_OF_A_KIND - 1 : SHOWN_OF_A_KIND
    for (const one of own.slice(0, room)) {
      yield annotation(command, one)
      printed++
    }
  }
  if (printed < total) {
    const text = `${plural(total - printed, 'more finding')} without an annotation: GitHub shows ${SHOWN_OF_A_KIND} of a kind`
    yield `::notice title=resurface::${escapeData(text)}\n`
  }
  yield `${plural(reports.length, 'log')} checked: ${summaryOf(reports)}\n`
}

function summaryOf(reports: readonly Report[]): string {
  const errors = plural(countOf(reports, ['error']), 'error')
  const warnings = plural(countOf(reports, ['warning']), 'warning')
  return `${errors}, ${warnings}, ${plural(countOf(reports, ['info']), 'note')}`
}

function countOf(reports: readonly Report[], severities: readonly Severity[]): number {
  const counted = reports.flatMap(ruleCountsOf).filter(({ severity }) => severities.includes(severity))
  return counted.reduce((sum, { count }) => sum + count, 0)
}

function causesFirst(all: readonly Placed[]): readonly Placed[] {
  return all.toSorted(
    (a, b) => Number(a.finding.causedBy !== undefined) - Number(b.finding.causedBy !== undefined),
  )
}

function annotation(command: string, { finding, report }: Placed): string {
  const file = fileOf(report)
  const line = fileLineOf(report, finding)
  const properties = [
    // Standard input is no file that GitHub could show.
    ...(file === '-' ? [] : [`file=${escapeProperty(file)}`]),
    ...(file === '-' || line === undefined ? [] : [`line=${line}`]),
    `title=${escapeProperty(finding.code)}`,
  ]
  const where = [report.subject?.path, positionText(finding)].filter((part) => part !== '').join(', ')
  return `::${command} ${properties.join(',')}::${escapeData(`${where}: ${finding.message}`)}\n`
}

function escapeData(text: string): string {
  return escapeText(text).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C')
}
