/** Any report as a page: its sections one under the other, with a stated limit on what a browser has to hold. */
import type { Section } from '../../section.ts'
import { renderDocument } from './document.ts'
import { html } from './markup.ts'
import { sectionsMarkup } from './sections.ts'

export function renderHtml(title: string, sections: Iterable<Section>, version: string): Iterable<string> {
  return renderDocument({
    title: `resurface ${title}`,
    head: html`<h1>resurface ${title}</h1>\n`,
    main: sectionsMarkup(sections, 2),
    foot: html`<p>Written by resurface ${version}. Nothing in this page runs, and it loads nothing.</p>\n`,
  })
}
