/** Findings in the order in which they became certain, each by itself: there is no whole yet to begin with. */
import { positionText } from '../position-text.ts'
import type { ReportFinding } from '../report.ts'
import type { Entry } from '../section.ts'
import type { View } from './view.ts'

export const watchView: View<'watch'> = {
  *sections(report) {
    yield { kind: 'entries', entries: Array.from(report.data.found, entryOf) }
  },
  entry: entryOf,
}

function entryOf(finding: ReportFinding): Entry {
  const { severity, code, message } = finding
  const heading = [`${severity} ${code}`, positionText(finding)].filter((part) => part !== '').join(', ')
  return { heading, tone: severity, body: message }
}
