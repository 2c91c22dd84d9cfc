/**
 * Report + format → text. The table of formats, each loaded when it is asked for: to add one, write a renderer and add
 * a row.
 */
import type { ListKind } from '../main-list.ts'
import { isKind, type LiveList, type Report, type ReportKind, type ReportSet, withItems } from '../report.ts'
import type { Entry, Section } from '../section.ts'
import type { Style } from '../style.ts'
import { loadView } from '../views/index.ts'
import type { View } from '../views/view.ts'

export type Format = keyof typeof RENDERERS | keyof typeof FINDING_RENDERERS

const RENDERERS = {
  text: async (set, options) => {
    const [{ renderText }, view] = await Promise.all([import('./text.ts'), loadView(set.schema)])
    return renderText(sectionsOf(set, options, view), options.style)
  },
  json: async (set) => (await import('../json-text.ts')).jsonText(set),
  ndjson: async (set) => (await import('./ndjson.ts')).renderNdjson(set),
  markdown: async (set, options) => {
    const [{ renderMarkdown }, view] = await Promise.all([import('./markdown.ts'), loadView(set.schema)])
    return renderMarkdown(sectionsOf(set, options, view))
  },
  html: async (set, options) => {
    const [report] = isKind(set, 'report') ? set.reports : []
    if (report !== undefined) return (await import('./html/report-page.ts')).renderReportPage(report, options)
    const [{ renderHtml }, view] = await Promise.all([import('./html/sections.ts'), loadView(set.schema)])
    return renderHtml(set, sectionsOf(set, options, view), options.version)
  },
} satisfies Record<string, Renderer>

/** Formats that have a place for findings and for nothing else. */
const FINDING_RENDERERS = {
  sarif: async (set, options) => (await import('./sarif.ts')).renderSarif(set, options.version),
  junit: async (set) => (await import('./junit.ts')).renderJunit(set),
  line: async (set) => (await import('./line.ts')).renderLines(set),
  github: async (set) => (await import('./github.ts')).renderGithub(set),
} satisfies Record<string, Renderer<'check'>>

/** Formats that need no end: what they print of an item does not depend on what follows. */
const LIVE_FORMATS: readonly Format[] = ['text', 'ndjson']

const GENERAL_FORMATS = Object.keys(RENDERERS) as readonly (keyof typeof RENDERERS)[]

export const FORMATS: readonly Format[] = [
  ...GENERAL_FORMATS,
  ...(Object.keys(FINDING_RENDERERS) as readonly (keyof typeof FINDING_RENDERERS)[]),
]

/** The formats that a report of this kind can be printed in. */
export function formatsFor(kind: ReportKind): readonly Format[] {
  if (kind === 'watch') return LIVE_FORMATS
  return kind === 'check' ? FORMATS : GENERAL_FORMATS
}

export function render(set: ReportSet, format: Format, options: RenderOptions): Promise<Chunks> {
  if (!isForFindings(format)) return RENDERERS[format](set, options)
  if (!isKind(set, 'check')) throw new Error(`${set.schema} has no findings to print as ${format}`)
  return FINDING_RENDERERS[format](set, options)
}

function isForFindings(format: Format): format is keyof typeof FINDING_RENDERERS {
  return Object.hasOwn(FINDING_RENDERERS, format)
}

/** A report in pieces that come when its items do, and then the same text as that of the whole report. */
export async function renderLive(
  live: LiveList,
  format: Format,
  options: RenderOptions,
): Promise<AsyncIterable<string>> {
  if (!LIVE_FORMATS.includes(format)) return renderWhole(live, format, options)
  if (format === 'ndjson') return (await import('./ndjson.ts')).renderLiveNdjson(live)
  const [{ entries }, view] = await Promise.all([import('./text.ts'), loadView(live.schema)])
  return entries(entriesOf(live, view), options.style)
}

/** Reports in pieces that come while the reports do, where the format needs no others for what it prints of one. */
export async function renderEach(
  reports: AsyncIterable<Report>,
  rest: () => ReportSet,
): Promise<AsyncIterable<string>> {
  return (await import('./ndjson.ts')).renderEachNdjson(reports, rest)
}

/** Formats that need the end wait for it. */
async function* renderWhole(live: LiveList, format: Format, options: RenderOptions): AsyncIterable<string> {
  const items: object[] = []
  for await (const item of live.items) items.push(item)
  yield* await render(withItems(live.rest(), items), format, options)
}

async function* entriesOf<Kind extends ListKind>(
  { items }: LiveList<Kind>,
  { entry }: View<Kind>,
): AsyncIterable<Entry> {
  if (entry === undefined) throw new Error('this view shows no single items')
  for await (const item of items) yield entry(item)
}

function* sectionsOf<Kind extends ReportKind>(
  set: ReportSet<Kind>,
  options: RenderOptions,
  view: View<Kind>,
): Iterable<Section> {
  const { reports, unread = [] } = set
  if (reports.length + unread.length === 1) {
    for (const report of reports) yield* view.sections(report, options)
    return
  }
  for (const report of reports) {
    if (view.isUntitled === true) yield { kind: 'heading', text: report.subject?.path ?? '' }
    if (view.brief === undefined) yield* view.sections(report, options)
    else yield view.brief(report, options)
  }
  if (view.summary !== undefined) yield* view.summary(reports, unread)
}

type Renderer<Kind extends ReportKind = ReportKind> = (
  set: ReportSet<Kind>,
  options: RenderOptions,
) => Promise<Chunks>

/** Text in pieces, to be written as it comes. */
export type Chunks = Iterable<string> | AsyncIterable<string>

export interface RenderOptions {
  readonly style: Style
  /** Most rows or findings that a view for people shows; 0 for all. */
  readonly limit: number
  /** The text is for a person at a terminal. */
  readonly onTerminal?: boolean
  readonly columns?: number
  /** Long outputs of tools are shown by their beginnings. */
  readonly isShort?: boolean
  /** Version of this program, for formats that name the tool. */
  readonly version: string
}
