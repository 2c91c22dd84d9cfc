/** The messages that the model gets, each as JSON under the event it comes from. */
import { isName } from '../../core/json/json-value.ts'
import { pretty } from '../json-text.ts'
import { plural } from '../number-text.ts'
import type { View } from './view.ts'

export const messagesView: View<'messages'> = {
  *sections(report) {
    const { messages } = report.data
    yield {
      kind: 'heading',
      text: `${report.subject?.path}: ${plural(messages.length, 'message')} for the model`,
    }
    for (const { seq, message } of messages) {
      yield {
        kind: 'entries',
        entries: [
          {
            heading: `seq ${seq}${isName(message.role) ? ` ${message.role}` : ', no role'}`,
            tone: 'strong',
            body: pretty(message),
          },
        ],
      }
    }
  },
}
