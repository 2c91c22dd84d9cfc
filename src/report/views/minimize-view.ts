/** What is left of a log that was made as small as it can be, and what it still raises. */
import { grouped, plural } from '../number-text.ts'
import { findingText } from '../position-text.ts'
import type { ReportData } from '../report.ts'
import type { Cell } from '../section.ts'
import { headingOf, limited, moreKept, type View } from './view.ts'

export const minimizeView: View<'minimize'> = {
  *sections(report, { limit }) {
    const { rule, output, records, bytes, checks, isComplete } = report.data
    const isSame = bytes.before === bytes.after
    const what = rule === undefined ? 'what the command finds bad' : rule
    const size = isSame
      ? `${isComplete ? 'it is as small as it can be' : 'nothing smaller was found in time'} for ${what}`
      : `${shareOf(records)} records are enough for ${what}`
    yield headingOf(report, size, 'ok')
    const rows: [string, Cell][] = [
      ['file', output],
      ['bytes', `${shareOf(bytes)}`],
      ['tried', plural(checks, 'smaller log')],
    ]
    if (!isComplete)
      rows.push(['time', { text: 'was up: a longer --time may find a smaller one', tone: 'warning' }])
    yield { kind: 'fields', rows }
    const { shown, hidden } = limited(report.findings, limit)
    const items: Cell[] = shown.map((finding) => ({
      text: `  ${finding.code}: ${findingText(finding)}`,
      tone: finding.severity,
    }))
    if (hidden > 0) items.push(moreKept(hidden))
    if (items.length > 0) yield { kind: 'list', items }
  },
}

function shareOf({ before, after }: ReportData<'minimize'>['bytes']): string {
  return `${grouped(after)} of ${grouped(before)}`
}
