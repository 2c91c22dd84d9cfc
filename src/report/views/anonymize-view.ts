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
    const { output, container, events, fields, keep, same, lacks = [], secrets, base64 } = report.data
    const { findings, current, shadowed, logOnly, steps } = same
    const what =
      secrets === undefined
        ? 'written without content, and compared'
        : `written, ${plural(secrets.length, 'secret')} replaced, searched again and compared`
    yield headingOf(report, `${plural(events, 'event')} ${what}`, 'ok')
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
        ...(base64 !== undefined && base64.runs > 0
          ? ([
              [
                'not looked into',
                `base64: ${plural(base64.runs, 'run')}, ${plural(base64.characters, 'character')}`,
              ],
            ] as const)
          : []),
        ...(secrets === undefined ? [] : ([['not promised', NO_PROMISE]] as const)),
      ],
    }
    if (secrets !== undefined) {
      if (secrets.length > 0) yield secretsTable(secrets)
      return
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

const NO_PROMISE =
  'that every secret was found; what no rule recognises stays, so read the copy before you share it (docs/redact.md)'

type Secrets = NonNullable<ReportData<'anonymize'>['secrets']>

function secretsTable(secrets: Secrets): Section {
  return {
    kind: 'table',
    columns: [
      { label: 'mark', width: 30 },
      { label: 'count', width: 6, align: 'right' },
      { label: 'where', width: 0 },
    ],
    rows: secrets.map(({ mark, count, places }) => [mark, grouped(count), placesText(places, count)]),
  }
}

const MOST_PLACES = 3

function placesText(places: Secrets[number]['places'], count: number): string {
  const shown = places.slice(0, MOST_PLACES).map(placeText)
  const rest = count - shown.length
  return `${shown.join('; ')}${rest > 0 ? `; and ${grouped(rest)} more` : ''}`
}

function placeText({ line, seq, member }: Secrets[number]['places'][number]): string {
  const at = seq === undefined ? `line ${line}` : `seq ${seq}`
  return member === undefined ? at : `${at} ${member}`
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
