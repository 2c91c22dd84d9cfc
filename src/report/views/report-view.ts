/**
 * Everything about a log in one report: what `check` and `info` say, how the surface came about, the conversation. For
 * the browser there is a page of its own (`renderers/html/report-page.ts`); these sections are for every other format.
 */
import { plural } from '../number-text.ts'
import type { ReportData } from '../report.ts'
import type { Cell, Section } from '../section.ts'
import { checkView } from './check-view.ts'
import { infoView } from './info-view.ts'
import { transcriptView } from './transcript-view.ts'
import type { View } from './view.ts'

type LogReportData = ReportData<'report'>

export const reportView: View<'report'> = {
  *sections(report, options) {
    const data = report.data
    yield* checkView.sections({ ...report, schema: 'resurface/check@1', data: data.check }, options)
    yield* infoView.sections({ ...report, schema: 'resurface/info@1', data: data.info }, options)
    yield* surfaceSections(data)
    const { entries, leftOut, part } = data
    const chosen = part === undefined ? '' : ` (${part})`
    yield { kind: 'heading', text: `conversation${chosen}` }
    if (leftOut > 0) yield { kind: 'list', items: [{ text: leftOutText(leftOut, entries), tone: 'dim' }] }
    yield* transcriptView.sections(
      { ...report, schema: 'resurface/transcript@1', data: { entries } },
      options,
    )
  },
}

/** What is missing before the first entry that is shown, and how to see it. */
export function leftOutText(leftOut: number, [first]: LogReportData['entries']): string {
  const what =
    leftOut === 1 ? '1 earlier entry is' : `${plural(leftOut, 'earlier entry', 'earlier entries')} are`
  return `${what} left out; --seq ..${(first?.seq ?? 0) - 1} shows the last of them, resurface transcript all`
}

function* surfaceSections({ surface }: LogReportData): Iterable<Section> {
  const { points, replacements, leftOut } = surface
  const last = points.at(-1)
  if (last === undefined) return
  const most = points.reduce((a, b) => (b.tokens > a.tokens ? b : a))
  const rows: (readonly [string, Cell])[] = [
    ['at the end', `${plural(last.nodes, 'message')}, about ${plural(last.tokens, 'token')}`],
    [
      'at most',
      `${plural(most.nodes, 'message')}, about ${plural(most.tokens, 'token')}, after #${most.seq}`,
    ],
    ['replacements', String(replacements.length + leftOut)],
  ]
  yield { kind: 'heading', text: 'what the model saw' }
  yield { kind: 'fields', rows }
}
