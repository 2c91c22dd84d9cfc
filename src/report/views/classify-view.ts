/** Every event with its class, in log order. */
import type { ClassifiedEvent } from '../../core/projections/classification.ts'
import { plural } from '../number-text.ts'
import type { Cell, Tone } from '../section.ts'
import { dataOf, type View } from './view.ts'

export interface ClassifyData {
  readonly counts: { readonly current: number; readonly shadowed: number; readonly logOnly: number }
  readonly events: Iterable<ClassifiedEvent>
}

export const classifyView: View = {
  *sections(report) {
    const { counts, events } = dataOf<ClassifyData>(report)
    const { current, shadowed, logOnly } = counts
    const total = plural(current + shadowed + logOnly, 'event')
    yield {
      kind: 'heading',
      text: `${report.subject?.path}: ${total}: ${current} current, ${shadowed} shadowed, ${logOnly} log-only`,
    }
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
