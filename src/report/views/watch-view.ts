/** Findings in the order in which they became certain, each by itself: there is no whole yet to begin with. */
import type { Severity } from '../../core/findings/finding.ts'
import { positionText } from '../position-text.ts'
import type { ReportFinding } from '../report.ts'
import type { Entry } from '../section.ts'
import { dataOf, type View } from './view.ts'

export interface WatchData {
  readonly counts: Readonly<Record<Severity, number>>
  readonly found: Iterable<ReportFinding>
}

export const watchView: View = {
  *sections(report) {
    yield { kind: 'entries', entries: Array.from(dataOf<WatchData>(report).found, entryOf) }
  },
  entry: (row) => entryOf(row as ReportFinding),
}

function entryOf(finding: ReportFinding): Entry {
  const { severity, code, message } = finding
  const heading = [`${severity} ${code}`, positionText(finding)].filter((part) => part !== '').join(', ')
  return { heading, tone: severity, body: message }
}
