/** Any report as a page: its sections one under the other, with a stated limit on what a browser has to hold. */
import type { ReportSet } from '../../report.ts'
import type { Section } from '../../section.ts'
import { renderDocument } from './document.ts'
import { html } from './markup.ts'
import { sectionsMarkup } from './sections.ts'

export function renderHtml(set: ReportSet, sections: Iterable<Section>, version: string): Iterable<string> {
  const command = /\/(.*)@/.exec(set.schema)?.[1] ?? set.schema
  const [report, ...others] = set.reports
  const path = others.length > 0 ? '' : (report?.subject?.path ?? '')
  return renderDocument({
    title: `resurface ${command} ${path}`.trimEnd(),
    head: html`<h1>resurface ${command}</h1>\n${path !== '' && html`<p class="meta">${path}</p>\n`}`,
    main: sectionsMarkup(sections, 2),
    foot: html`<p>Written by resurface ${version}. Nothing in this page runs, and it loads nothing.</p>\n`,
  })
}
