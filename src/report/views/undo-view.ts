/** What a log was brought back from. */
import { dataOf, type View } from './view.ts'

export type UndoData = {
  readonly log: string
  /** The backup, which stays where it is. */
  readonly backup: string
}

export const undoView: View = {
  *sections(report) {
    const { log, backup } = dataOf<UndoData>(report)
    yield { kind: 'heading', text: `${log}: brought back to what it was before its repair`, tone: 'ok' }
    yield { kind: 'fields', rows: [['backup, kept', backup]] }
  },
}
