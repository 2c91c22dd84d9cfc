/** What the model sees, node by node, and which replacements made it so. */
import { gapText } from '../gap-text.ts'
import type { ListItem } from '../main-list.ts'
import { plural } from '../number-text.ts'
import { rangeText } from '../position-text.ts'
import type { ReportData } from '../report.ts'
import type { Cell } from '../section.ts'
import { gapSections, withGaps } from './gap-sections.ts'
import { headingOf, limited, type View } from './view.ts'

export const surfaceReportView: View<'surface'> = {
  *sections(report, options) {
    const { nodes, replacements, replaceGeneration, gaps, at, digest } = report.data
    if (digest !== undefined) {
      yield { kind: 'code', text: digest }
      return
    }
    const moment = at === undefined ? '' : ` after seq ${at}`
    const replaced = replaceGeneration === 0 ? '' : `, after ${plural(replaceGeneration, 'replacement')}`
    yield headingOf(report, `the model sees ${plural(nodes.length, 'message')}${moment}${replaced}`)
    if (nodes.length + gaps.length > 0)
      yield {
        kind: 'rows',
        columns: NODE_COLUMNS,
        rows: withGaps(nodes, gaps, ({ seq }) => seq, nodeRow, gapRow),
      }
    yield* gapSections(gaps)
    if (replacements.length === 0) return
    yield { kind: 'heading', text: 'replacements' }
    const { shown, hidden } = limited(replacements, options.limit)
    yield { kind: 'rows', columns: REPLACEMENT_COLUMNS, rows: shown.map(replacementRow) }
    if (hidden > 0)
      yield { kind: 'list', items: [{ text: `… and ${hidden} more (--all shows all)`, tone: 'dim' }] }
  },
}

type Gap = ReportData<'surface'>['gaps'][number]

const NODE_COLUMNS = [
  { label: 'seq', width: 7, align: 'right' as const },
  { label: 'type', width: 17 },
  { label: 'origin', width: 18 },
  { label: 'says', width: 0 },
]

function nodeRow({ seq, type, op, preview }: ListItem<'surface'>): Cell[] {
  const origin: Cell =
    op === 'append'
      ? { text: 'append', tone: 'dim' }
      : { text: `replaces ${rangeText(op.start, op.end)}`, tone: 'warning' }
  return [seq, type, origin, preview]
}

function gapRow(gap: Gap): Cell[] {
  return ['…', { text: 'gap', tone: 'error' }, '', { text: gapText(gap), tone: 'error' }]
}

const REPLACEMENT_COLUMNS = [
  { label: 'seq', width: 7, align: 'right' as const },
  { label: 'range', width: 16 },
  { label: 'shadowed', width: 0 },
]

function replacementRow({
  seq,
  start,
  end,
  shadowed,
}: ReportData<'surface'>['replacements'][number]): Cell[] {
  const { shown, hidden } = limited(shadowed, 12)
  return [seq, rangeText(start, end), `${shown.join(' ')}${hidden > 0 ? ` … and ${hidden} more` : ''}`]
}
