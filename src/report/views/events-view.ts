/** Whole events, one below the other. */
import { compact } from '../json-text.ts'
import { plural } from '../number-text.ts'
import { headingOf, type View } from './view.ts'

export const eventsView: View<'events'> = {
  *sections(report) {
    const { events, hasMore, firstSeq } = report.data
    const more = hasMore ? `; older: --before ${firstSeq}` : ''
    const span = events.length === 0 ? '' : `, seq ${events[0]?.seq}..${events.at(-1)?.seq}`
    yield headingOf(report, `${plural(events.length, 'event')}${span}${more}`)
    yield {
      kind: 'rows',
      columns: COLUMNS,
      rows: events.map(({ seq, type, data }) => [seq, type, compact(data)]),
    }
  },
}

const COLUMNS = [
  { label: 'seq', width: 7, align: 'right' as const },
  { label: 'type', width: 24 },
  { label: 'data', width: 0 },
]
