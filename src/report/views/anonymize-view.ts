/** What was replaced in a copy for others, what stayed and why, and what was compared. */
import type { FieldKind } from '../../core/anonymize/shape.ts'
import { grouped, plural } from '../number-text.ts'
import type { ReportData } from '../report.ts'
import type { Section } from '../section.ts'
import { headingOf, type View } from './view.ts'

/** Why values of a kind may stay. */
const WHY: Readonly<Record<string, string>> = {
  'event types': 'types that the format knows',
  'member names': 'members that the format knows',
  words: 'words that the format enumerates',
  ids: 'they hold no letter and no digit',
  names: 'they hold no letter and no digit',
  paths: 'they hold no letter and no digit',
  texts: 'texts that DSH itself writes, and blank ones',
  'tool arguments': 'they are empty',
  'other texts': 'they hold no letter and no digit',
  structure: 'seqs, turns, steps, counts, limits',
  times: 'zero is no time',
  'other numbers': 'zero stays zero',
  'truth values': 'true, false and null',
  'broken lines': 'they hold no letter and no digit',
  'asked for elsewhere': 'equal to a text that --keep names',
} satisfies Record<FieldKind, string>

export const anonymizeView: View<'anonymize'> = {
  *sections(report) {
    const { output, container, events, fields, keep, same, lacks = [] } = report.data
    const { findings, current, shadowed, logOnly, steps } = same
    yield headingOf(report, `${plural(events, 'event')} written without content, and compared`, 'ok')
    yield {
      kind: 'fields',
      rows: [
        ['file', output],
        ['container', container],
        ['same findings', grouped(findings)],
        [
          'same classes',
          `${grouped(current)} current, ${grouped(shadowed)} shadowed, ${grouped(logOnly)} log-only`,
        ],
        ['same repair plan', plural(steps, 'step')],
        ...(lacks.length > 0
          ? ([['not in the copy', `${lacks.join(', ')}: the copy is stored in another way`]] as const)
          : []),
      ],
    }
    yield {
      kind: 'table',
      columns: [
        { label: 'what', width: 14 },
        { label: 'replaced', width: 8, align: 'right' },
        { label: 'kept', width: 8, align: 'right' },
        { label: 'why it stays', width: 0 },
      ],
      rows: fields.map(({ what, replaced, kept }) => [
        what,
        grouped(replaced),
        grouped(kept),
        kept === 0 ? '' : (WHY[what] ?? ''),
      ]),
    }
    yield* keptSections(keep)
  },
}

function* keptSections(keep: ReportData<'anonymize'>['keep']): Iterable<Section> {
  if (keep.length === 0) return
  yield {
    kind: 'heading',
    text: 'kept because you asked for it: look at these before you share the file',
    tone: 'warning',
  }
  yield {
    kind: 'table',
    columns: [
      { label: 'path', width: 14 },
      { label: 'values', width: 8, align: 'right' },
    ],
    rows: keep.map(({ path, kept }) => [path, kept > 0 ? grouped(kept) : { text: 'none', tone: 'warning' }]),
  }
}
