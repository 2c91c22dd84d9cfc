/** Every event with its class, in log order. */
import type { ListItem } from '../main-list.ts'
import { plural } from '../number-text.ts'
import type { Cell, Tone } from '../section.ts'
import { headingOf, type View } from './view.ts'

type ClassifiedEvent = ListItem<'classify'>

export const classifyView: View<'classify'> = {
  *sections(report) {
    const { counts, events } = report.data
    const { current, shadowed, logOnly } = counts
    const total = plural(current + shadowed + logOnly, 'event')
    yield headingOf(report, `${total}: ${current} current, ${shadowed} shadowed, ${logOnly} log-only`)
    yield { kind: 'rows', columns: COLUMNS, rows: rowsOf(events) }
  },
}

const COLUMNS = [
  { label: 'seq', width: 7, align: 'right' as const },
  { label: 'class', width: 8 },
  { label: 'type', width: 24 },
  { label: 'replaced by', width: 0 },
]

const TONES: Record<ClassifiedEvent['class'], Tone> = {
  current: 'ok',
  shadowed: 'warning',
  'log-only': 'dim',
}

function* rowsOf(events: Iterable<ClassifiedEvent>): Iterable<Cell[]> {
  for (const event of events) {
    yield [event.seq, { text: event.class, tone: TONES[event.class] }, event.type, event.replacedBy ?? '']
  }
}
