/** One page of raw events. */
import type { SessionEvent } from '../../core/event/session-event.ts'
import { compact } from '../json-text.ts'
import { plural } from '../number-text.ts'
import { dataOf, type View } from './view.ts'

export interface HistoryData {
  readonly events: readonly SessionEvent[]
  readonly hasMore: boolean
  /** First seq of the page; absent for an empty one. The next page ends before it. */
  readonly firstSeq?: number
}

export const historyView: View = {
  *sections(report) {
    const { events, hasMore, firstSeq } = dataOf<HistoryData>(report)
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
