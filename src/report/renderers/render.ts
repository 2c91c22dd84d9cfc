/**
 * Report + format → text. The table of formats, each loaded when it is asked for: to add one, write a renderer and add
 * a row.
 */

import { isReportSet, type LiveRows, type Report, type ReportSet } from '../report.ts'
import type { Entry, Section } from '../section.ts'
import { loadView } from '../views/index.ts'
import type { View } from '../views/view.ts'
import type { Chunks, Renderer, RenderOptions } from './renderer.ts'

export type Format = keyof typeof RENDERERS

const RENDERERS = {
  text: async (schema) => {
    const [{ renderText }, view] = await Promise.all([import('./text.ts'), loadView(schema)])
    return (answer, options) => renderText(sectionsOf(answer, options, view), options.style)
  },
  json: async () => {
    const { jsonText } = await import('../json-text.ts')
    return (answer) => jsonText(answer)
  },
  ndjson: async () => {
    const { renderNdjson } = await import('./ndjson.ts')
    return (answer) => renderNdjson(answer)
  },
  markdown: async (schema) => {
    const [{ renderMarkdown }, view] = await Promise.all([import('./markdown.ts'), loadView(schema)])
    return (answer, options) => renderMarkdown(sectionsOf(answer, options, view))
  },
  html: async (schema) => {
    const [{ renderHtml }, view] = await Promise.all([import('./html/sections-page.ts'), loadView(schema)])
    const page = schema === 'resurface/report@1' ? await import('./html/report-page.ts') : undefined
    return (answer, options) =>
      page === undefined || isReportSet(answer)
        ? renderHtml(answer, sectionsOf(answer, options, view), options.version)
        : page.renderReportPage(answer, options)
  },
  sarif: async () => {
    const { renderSarif } = await import('./sarif.ts')
    return (answer, options) => renderSarif(answer, options.version)
  },
  junit: async () => {
    const { renderJunit } = await import('./junit.ts')
    return (answer) => renderJunit(answer)
  },
  github: async () => {
    const { renderGithub } = await import('./github.ts')
    return (answer) => renderGithub(answer)
  },
} satisfies Record<string, (schema: string) => Promise<Renderer>>

export const FORMATS = Object.keys(RENDERERS) as readonly Format[]

/** Formats that have a place for findings and for nothing else. */
const FOR_FINDINGS: readonly Format[] = ['sarif', 'junit', 'github']

/** Formats that need no end: what they print of a row does not depend on what follows. */
const LIVE_FORMATS: readonly Format[] = ['text', 'ndjson']

/** The formats that a report of this schema can be printed in. */
export function formatsFor(schema: string): readonly Format[] {
  if (schema === 'resurface/watch@1') return LIVE_FORMATS
  return FORMATS.filter((format) => schema === 'resurface/check@1' || !FOR_FINDINGS.includes(format))
}

export async function render(
  answer: Report | ReportSet,
  format: Format,
  options: RenderOptions,
): Promise<Chunks> {
  const load: (schema: string) => Promise<Renderer> = RENDERERS[format]
  const renderer = await load(answer.schema)
  return renderer(answer, options)
}

/** A report in pieces that come when its rows do, and then the same text as that of the whole report. */
export async function renderLive(
  live: LiveRows,
  format: Format,
  options: RenderOptions,
): Promise<AsyncIterable<string>> {
  if (format === 'ndjson') return (await import('./ndjson.ts')).renderLiveNdjson(live)
  const [{ entries }, view] = await Promise.all([import('./text.ts'), loadView(live.schema)])
  return entries(entriesOf(live.rows, view), options.style)
}

async function* entriesOf(rows: AsyncIterable<unknown>, { entry }: View): AsyncIterable<Entry> {
  if (entry === undefined) throw new Error('this view shows no single rows')
  for await (const row of rows) yield entry(row)
}

function* sectionsOf(answer: Report | ReportSet, options: RenderOptions, view: View): Iterable<Section> {
  if (!isReportSet(answer)) {
    yield* view.sections(answer, options)
    return
  }
  for (const report of answer.reports) yield* view.sections(report, options)
  if (view.summary !== undefined) yield* view.summary(answer.reports, answer.unread ?? [])
}
