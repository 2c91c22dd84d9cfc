/** What was written, and that it holds the same events. */
import { plural } from '../number-text.ts'
import type { Cell } from '../section.ts'
import { headingOf, type View } from './view.ts'

export const convertView: View<'convert'> = {
  *sections(report) {
    const { output, container, rows, events, digest, lost } = report.data
    yield headingOf(report, `${plural(events, 'event')} written and compared`, 'ok')
    const fields: (readonly [string, Cell])[] = [
      ['file', output],
      ['container', `${container}, rows ${rows}`],
      ['events', digest.slice(0, 16)],
    ]
    if (lost.length > 0) fields.push(['not carried over', { text: lost.join(', '), tone: 'warning' }])
    yield { kind: 'fields', rows: fields }
  },
}
