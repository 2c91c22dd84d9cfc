/** The messages that the model gets, each as JSON under the event it comes from. */
import { isName } from '../../core/json/json-value.ts'
import { pretty } from '../json-text.ts'
import type { ListItem } from '../main-list.ts'
import { plural } from '../number-text.ts'
import type { Entry } from '../section.ts'
import { gapEntry, withGaps } from './gap-sections.ts'
import { headingOf, type View } from './view.ts'

export const messagesView: View<'messages'> = {
  *sections(report) {
    const { messages, gaps } = report.data
    yield headingOf(report, `${plural(messages.length, 'message')} for the model`)
    const entries = withGaps(messages, gaps, ({ seq }) => seq, messageEntry, gapEntry)
    for (const entry of entries) yield { kind: 'entries', entries: [entry] }
  },
}

function messageEntry({ seq, message }: ListItem<'messages'>): Entry {
  const role = isName(message.role) ? ` ${message.role}` : ', no role'
  return { heading: `seq ${seq}${role}`, tone: 'strong', body: pretty(message) }
}
