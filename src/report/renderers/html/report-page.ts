/**
 * The page of `report`: verdict and findings, the conversation, charts, and what the log is. It is written piece by
 * piece, and every list in it is bounded where the data is made.
 */
import type { SurfaceGrowth } from '../../../core/projections/surface-growth.ts'
import type { TurnSpan, TurnSpans } from '../../../core/projections/turn-spans.ts'
import { momentText, spanText } from '../../moment-text.ts'
import { grouped, lastOf, plural } from '../../number-text.ts'
import type { Report, ReportData } from '../../report.ts'
import type { Section } from '../../section.ts'
import { findingGroups } from '../../views/finding-groups.ts'
import { infoView } from '../../views/info-view.ts'
import { repairView } from '../../views/repair-view.ts'
import { verdictOn } from '../../views/verdict-lines.ts'
import type { RenderOptions } from '../render.ts'
import { Anchors } from './anchors.ts'
import { surfaceChart } from './charts/surface-chart.ts'
import { timeChart, tokensChart } from './charts/turn-charts.ts'
import { conversationMarkup } from './conversation.ts'
import { renderDocument } from './document.ts'
import { typesText } from './entry.ts'
import { findingMarkup } from './findings.ts'
import { html, type Markup } from './markup.ts'
import { fieldsMarkup, sectionsMarkup, tableMarkup } from './sections.ts'
import { troubledTurns } from './troubled-turns.ts'

type LogReportData = ReportData<'report'>

export function renderReportPage(report: Report<'report'>, options: RenderOptions): Iterable<string> {
  const { data } = report
  return renderDocument({
    title: `${nameOf(report, data)}: ${report.verdict}`,
    head: head(report, data),
    main: main(report, data, options),
    foot: html`<p>Written by resurface ${options.version}. Nothing in this page runs, and it loads nothing. Times are UTC.</p>\n`,
  })
}

function nameOf({ subject }: Report<'report'>, { info }: LogReportData): string {
  const title = info.title ?? ''
  if (title !== '') return title
  const path = subject?.path ?? '-'
  return path === '-' ? 'standard input' : path
}

function head(report: Report<'report'>, data: LogReportData): Markup {
  const { subject } = report
  const { info } = data
  const facts = [
    subject?.path === '-' || subject?.path === nameOf(report, data) ? undefined : subject?.path,
    subject?.sessionId,
    plural(info.events, 'event'),
    info.firstTime === undefined ? undefined : `from ${momentText(info.firstTime)}`,
    info.lastTime === undefined ? undefined : `to ${momentText(info.lastTime)}`,
  ].filter((fact) => fact !== undefined && fact !== '')
  const links = PARTS.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)
  return html`<p class="kicker">resurface report</p>
<h1>${nameOf(report, data)}</h1>
<p class="meta">${facts.join(' · ')}</p>
<nav aria-label="Parts of this page"><ul>${links}</ul></nav>
`
}

const PARTS = [
  ['findings', 'Verdict and findings'],
  ['conversation', 'Conversation'],
  ['charts', 'Charts'],
  ['log', 'About this log'],
] as const

function* main(report: Report<'report'>, data: LogReportData, { limit }: RenderOptions): Iterable<Markup> {
  const anchors = new Anchors(report.findings, data.entries)
  yield open(0)
  yield* verdict(report, data)
  for (const group of findingGroups(data.check.rules, report.findings))
    yield findingMarkup(group, limit, anchors)
  yield* troubledTurns(data, report.findings)
  yield* repairPlan(report, data)
  yield html`</section>\n${open(1)}`
  yield* conversationMarkup(data, anchors)
  yield html`</section>\n${open(2)}`
  yield* charts(data)
  yield html`</section>\n${open(3)}`
  yield* sectionsMarkup(aboutLog(report, data), 3)
  yield html`</section>\n`
}

function open(part: 0 | 1 | 2 | 3): Markup {
  const [id, text] = PARTS[part]
  return html`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${text}</h2>\n`
}

function* verdict(report: Report<'report'>, { check }: LogReportData): Iterable<Markup> {
  const { text, tone, rows } = verdictOn(report.verdict, check)
  yield html`<p class="verdict tone-${tone}">${text}</p>\n`
  yield fieldsMarkup(rows)
  if (check.known !== undefined)
    yield html`<p class="note">${plural(check.known, 'finding')} of the baseline left out</p>\n`
}

/** What a repair would do, without its first line, and the command. */
function* repairPlan(report: Report<'report'>, { repair }: LogReportData): Iterable<Markup> {
  if (repair === undefined) return
  const sections = [
    ...repairView.sections({ ...report, schema: 'resurface/repair@1', data: repair }, { limit: 0 }),
  ]
  yield html`<h3>What a repair would do</h3>\n`
  yield* sectionsMarkup(sections.slice(1), 3)
}

function* charts({ surface, turns }: LogReportData): Iterable<Markup> {
  const lastSeq = Math.max(turns.turns.at(-1)?.lastSeq ?? 0, surface.points.at(-1)?.seq ?? 0)
  const drawn = [
    surfaceChart(surface, 'tokens', lastSeq),
    surfaceChart(surface, 'nodes', lastSeq, [...replacementsTable(surface)]),
    timeChart(turns),
    tokensChart(turns),
  ]
  for (const chart of drawn) if (chart !== undefined) yield chart
  yield* turnsTable(turns)
}

/** Most rows of the tables next to the charts. */
const MOST_ROWS = 300

function* replacementsTable({ replacements, leftOut }: SurfaceGrowth): Iterable<Markup> {
  if (replacements.length === 0) return
  const shown = replacements.slice(-MOST_ROWS)
  yield html`<details><summary>${lastOf(shown.length, replacements.length + leftOut, 'replacement')} in numbers</summary>\n`
  yield* tableMarkup(
    REPLACEMENT_COLUMNS,
    shown.map(({ seq, compaction, before, after, hiddenTypes }) => [
      seq,
      compaction ? 'compaction' : 'replacement',
      `${grouped(before.nodes)} → ${grouped(after.nodes)}`,
      `${grouped(before.tokens)} → ${grouped(after.tokens)}`,
      typesText(hiddenTypes),
    ]),
  )
  yield html`</details>\n`
}

const REPLACEMENT_COLUMNS = [
  { label: 'seq', align: 'right' as const },
  { label: 'what' },
  { label: 'messages', align: 'right' as const },
  { label: 'tokens, about', align: 'right' as const },
  { label: 'took the place of' },
]

function* turnsTable({ turns, leftOut }: TurnSpans): Iterable<Markup> {
  if (turns.length === 0) return
  const shown = turns.slice(-MOST_ROWS)
  yield html`<details><summary>${lastOf(shown.length, turns.length + leftOut, 'turn')} in numbers</summary>\n`
  yield* tableMarkup(TURN_COLUMNS, shown.map(turnRow))
  yield html`</details>\n`
}

const TURN_COLUMNS = [
  { label: 'turn', align: 'right' as const },
  { label: 'first seq', align: 'right' as const },
  { label: 'last seq', align: 'right' as const },
  { label: 'start, UTC', align: 'right' as const },
  { label: 'lasted', align: 'right' as const },
  { label: 'steps', align: 'right' as const },
  { label: 'calls', align: 'right' as const },
  { label: 'tokens in', align: 'right' as const },
  { label: 'tokens out', align: 'right' as const },
  { label: 'end' },
]

function turnRow({
  turn,
  seq,
  lastSeq,
  time,
  lastTime,
  steps,
  calls,
  tokens,
  outcome,
}: TurnSpan): readonly (string | number)[] {
  const sent = tokens === undefined ? '' : grouped(tokens.input + tokens.cacheRead + tokens.cacheWrite)
  const written = tokens === undefined ? '' : grouped(tokens.output)
  return [
    turn ?? '',
    seq,
    lastSeq,
    momentText(time),
    spanText(lastTime - time),
    steps,
    calls,
    sent,
    written,
    outcome,
  ]
}

/** What `info` says, without its first line, which says what is above. */
function aboutLog(report: Report<'report'>, { info }: LogReportData): Iterable<Section> {
  return [...infoView.sections({ ...report, schema: 'resurface/info@1', data: info }, { limit: 0 })].slice(1)
}
