/**
 * Report + format → text. The table of formats: to add one, write a renderer and add a row.
 */

import { renderGithub } from './renderers/github.ts'
import { jsonText } from './renderers/json-text.ts'
import { renderJunit } from './renderers/junit.ts'
import { renderMarkdown } from './renderers/markdown.ts'
import { renderNdjson } from './renderers/ndjson.ts'
import { renderSarif } from './renderers/sarif.ts'
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
  /** Version of this program, for formats that name the tool. */
  readonly version: string
}

const RENDERERS = {
  text: (answer, options) => renderText(sectionsOf(answer, options), options.style),
  json: (answer) => jsonText(answer),
  ndjson: (answer) => renderNdjson(answer),
  markdown: (answer, options) => renderMarkdown(sectionsOf(answer, options)),
  sarif: (answer, options) => renderSarif(answer, options.version),
  junit: (answer) => renderJunit(answer),
  github: (answer) => renderGithub(answer),
} satisfies Record<string, Renderer>

export const FORMATS = Object.keys(RENDERERS) as readonly Format[]

/** Formats that have a place for findings and for nothing else. */
const FOR_FINDINGS: readonly Format[] = ['sarif', 'junit', 'github']

/** The formats that a report of this schema can be printed in. */
export function formatsFor(schema: string): readonly Format[] {
  return FORMATS.filter((format) => schema === 'resurface/check@1' || !FOR_FINDINGS.includes(format))
}

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
  if (summarise !== undefined) yield* summarise(answer.reports, answer.unread ?? [])
}
