/** What a log was brought back from. */
import type { View } from './view.ts'

export const undoView: View<'undo'> = {
  *sections(report) {
    const { log, backup } = report.data
    yield { kind: 'heading', text: `${log}: brought back to what it was before its repair`, tone: 'ok' }
    yield { kind: 'fields', rows: [['backup, kept', backup]] }
  },
}
