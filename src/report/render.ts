/**
 * Report + format → text. The table of formats: to add one, write a renderer and add a row.
 */

import { jsonText } from './renderers/json-text.ts'
import { renderMarkdown } from './renderers/markdown.ts'
import { renderNdjson } from './renderers/ndjson.ts'
import { renderText } from './renderers/text.ts'
import { isReportSet, type Report, type ReportSet } from './report.ts'
import type { Section } from './section.ts'
import type { Style } from './style.ts'
import { viewOf } from './views/index.ts'

export type Format = keyof typeof RENDERERS

type Renderer = (answer: Report | ReportSet, options: RenderOptions) => Chunks

/** Text in pieces, to be written as it comes. */
export type Chunks = Iterable<string> | AsyncIterable<string>

export interface RenderOptions {
  readonly style: Style
  /** Most rows or findings that a view for people shows; 0 for all. */
  readonly limit: number
}

const RENDERERS = {
  text: (answer, options) => renderText(sectionsOf(answer, options), options.style),
  json: (answer) => jsonText(answer),
  ndjson: (answer) => renderNdjson(answer),
  markdown: (answer, options) => renderMarkdown(sectionsOf(answer, options)),
} satisfies Record<string, Renderer>

export const FORMATS = Object.keys(RENDERERS) as readonly Format[]

export function render(answer: Report | ReportSet, format: Format, options: RenderOptions): Chunks {
  return (RENDERERS[format] as Renderer)(answer, options)
}

function* sectionsOf(answer: Report | ReportSet, options: RenderOptions): Iterable<Section> {
  if (!isReportSet(answer)) {
    yield* viewOf(answer.schema).sections(answer, options)
    return
  }
  for (const report of answer.reports) yield* viewOf(report.schema).sections(report, options)
  const summarise = viewOf(answer.schema).summary
  if (summarise !== undefined) yield* summarise(answer.reports)
}
