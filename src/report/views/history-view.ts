/** One page of raw events. */
import { compact } from '../json-text.ts'
import { plural } from '../number-text.ts'
import type { View } from './view.ts'

export const historyView: View<'history'> = {
  *sections(report) {
    const { events, hasMore, firstSeq } = report.data
    const more = hasMore ? `; older: --before ${firstSeq}` : ''
    const span = events.length === 0 ? '' : `, seq ${firstSeq}..${events.at(-1)?.seq}`
    yield {
      kind: 'heading',
      text: `${report.subject?.path}: ${plural(events.length, 'event')}${span}${more}`,
    }
    yield {
      kind: 'rows',
      columns: COLUMNS,
      rows: events.map(({ seq, type, data }) => [seq, type, preview(data)]),
    }
  },
}

const COLUMNS = [
  { label: 'seq', width: 7, align: 'right' as const },
  { label: 'type', width: 24 },
  { label: 'data', width: 0 },
]

function preview(data: unknown): string {
  const text = compact(data)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
