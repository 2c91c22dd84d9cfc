/** What a log was brought back from. */
import { plural } from '../number-text.ts'
import type { View } from './view.ts'

export const undoView: View<'undo'> = {
  brief: ({ data }) => ({
    kind: 'list',
    items: [{ text: `${data.log}: brought back from ${data.backup}`, tone: 'ok' }],
  }),

  *summary(reports, unread) {
    yield { kind: 'heading', text: `${plural(reports.length, 'log')} restored` }
    if (unread.length > 0) yield { kind: 'fields', rows: [['not restored', unread.length]] }
  },

  *sections(report) {
    const { log, backup } = report.data
    yield { kind: 'heading', text: `${log}: restored to what it was before its repair`, tone: 'ok' }
    yield { kind: 'fields', rows: [['backup, kept', backup]] }
  },
}
