/** The messages that the model gets, each as JSON under the event it comes from. */
import type { SurfaceMessage } from '../../core/projections/surface-view.ts'
import { pretty } from '../json-text.ts'
import { plural } from '../number-text.ts'
import { dataOf, type View } from './view.ts'

export interface MessagesData {
  readonly messages: readonly SurfaceMessage[]
}

export const messagesView: View = {
  *sections(report) {
    const { messages } = dataOf<MessagesData>(report)
    yield {
      kind: 'heading',
      text: `${report.subject?.path}: ${plural(messages.length, 'message')} for the model`,
    }
    for (const { seq, message } of messages) {
      yield {
        kind: 'entries',
        entries: [
          {
            heading: `seq ${seq} ${String(message.role)}`,
            tone: 'strong',
            body: pretty(message),
          },
        ],
      }
    }
  },
}
