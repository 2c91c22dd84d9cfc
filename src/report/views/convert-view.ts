/** What was written, and that it holds the same events. */

import { plural } from '../number-text.ts'
import type { Cell } from '../section.ts'
import { dataOf, type View } from './view.ts'

export interface ConvertData {
  readonly output: string
  readonly container: string
  readonly rows: string
  readonly events: number
  /** Hash over the events, the same before and after. */
  readonly digest: string
  /** What the container has no place for. */
  readonly lost: readonly string[]
}

export const convertView: View = {
  *sections(report) {
    const { output, container, rows, events, digest, lost } = dataOf<ConvertData>(report)
    yield {
      kind: 'heading',
      text: `${report.subject?.path}: ${plural(events, 'event')} written and compared`,
      tone: 'ok',
    }
    const fields: (readonly [string, Cell])[] = [
      ['file', output],
      ['container', `${container}, rows ${rows}`],
      ['events', digest.slice(0, 16)],
    ]
    if (lost.length > 0) fields.push(['not carried over', { text: lost.join(', '), tone: 'warning' }])
    yield { kind: 'fields', rows: fields }
  },
}
