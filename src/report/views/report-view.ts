/**
 * Everything about a log in one answer: what `check` and `info` say, how the surface came about, the conversation. For
 * the browser there is a page of its own (`renderers/html/report-page.ts`); these sections are for every other format.
 */
import type { Inheritance } from '../../core/projections/inheritance.ts'
import type { ShortEntry } from '../../core/projections/shorten-entry.ts'
import type { SurfaceGrowth } from '../../core/projections/surface-growth.ts'
import type { TurnSpans } from '../../core/projections/turn-spans.ts'
import { plural } from '../number-text.ts'
import type { Report, ReportData } from '../report.ts'
import type { Cell, Section } from '../section.ts'
import { type CheckData, checkView } from './check-view.ts'
import { type InfoData, infoView } from './info-view.ts'
import { transcriptView } from './transcript-view.ts'
import { dataOf, type View } from './view.ts'

export interface LogReportData {
  readonly check: CheckData
  readonly info: InfoData
  readonly surface: SurfaceGrowth
  readonly turns: TurnSpans
  readonly inherited?: Inheritance
  /** The last entries that were asked for, their texts cut where they are very long. */
  readonly entries: readonly ShortEntry[]
  /** Entries before them that were asked for, too. */
  readonly leftOut: number
  /** The options that chose the entries, as they would be typed. */
  readonly part?: string
}

export const reportView: View = {
  *sections(report, options) {
    const data = dataOf<LogReportData>(report)
    yield* checkView.sections(partOf(report, data.check), options)
    yield* infoView.sections(partOf(report, data.info), options)
    yield* surfaceSections(data)
    const { entries, leftOut, part } = data
    const chosen = part === undefined ? '' : ` (${part})`
    yield { kind: 'heading', text: `conversation${chosen}` }
    if (leftOut > 0) yield { kind: 'list', items: [{ text: leftOutText(leftOut, entries), tone: 'dim' }] }
    yield* transcriptView.sections(partOf(report, { entries }), options)
  },
}

/** What is missing before the first entry that is shown, and how to see it. */
export function leftOutText(leftOut: number, [first]: readonly ShortEntry[]): string {
  const what =
    leftOut === 1 ? '1 earlier entry is' : `${plural(leftOut, 'earlier entry', 'earlier entries')} are`
  return `${what} left out; --seq ..${(first?.seq ?? 0) - 1} shows the last of them, resurface transcript all`
}

/** The same report with the data of one of its parts. */
export function partOf(report: Report, data: object): Report {
  return { ...report, data: data as ReportData }
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
