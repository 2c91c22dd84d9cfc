/** What is left of a log that was made as small as it can be, and what it still raises. */

import { grouped, plural } from '../number-text.ts'
import { findingText } from '../position-text.ts'
import type { Cell } from '../section.ts'
import { dataOf, limited, moreKept, type View } from './view.ts'

export interface MinimizeData {
  /** What had to stay: a rule that is raised, or that a command of the user finds the log bad. */
  readonly rule?: string
  readonly command?: string
  readonly output: string
  readonly records: BeforeAndAfter
  /** Of the log as plain JSONL. */
  readonly bytes: BeforeAndAfter
  /** Logs that were tried. */
  readonly checks: number
  /** Whether nothing more can be taken away; false when the time was up before. */
  readonly isComplete: boolean
}

interface BeforeAndAfter {
  readonly before: number
  readonly after: number
}

export const minimizeView: View = {
  *sections(report, { limit }) {
    const { rule, output, records, bytes, checks, isComplete } = dataOf<MinimizeData>(report)
    const isSame = bytes.before === bytes.after
    const what = rule === undefined ? 'what the command finds bad' : rule
    yield {
      kind: 'heading',
      text: isSame
        ? `${report.subject?.path}: ${isComplete ? 'it is as small as it can be' : 'nothing smaller was found in time'} for ${what}`
        : `${report.subject?.path}: ${shareOf(records)} records are enough for ${what}`,
      tone: 'ok',
    }
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

function shareOf({ before, after }: BeforeAndAfter): string {
  return `${grouped(after)} of ${grouped(before)}`
}
