/** Sections as HTML. Long lists end at a limit that is stated where they end. */
import { grouped, plural } from '../../number-text.ts'
import type { ReportSet } from '../../report.ts'
import { type Cell, type Column, type Entry, type Section, textOf, toneOf } from '../../section.ts'
import { excerptLines } from '../excerpt.ts'
import { renderDocument } from './document.ts'
import { html, lines, type Markup } from './markup.ts'

/** Most rows, items or entries of one list. */
export const MOST_ITEMS = 10_000

/** @param level - of the headings. */
export function* sectionsMarkup(sections: Iterable<Section>, level: 2 | 3): Iterable<Markup> {
  for (const section of sections) yield* sectionMarkup(section, level)
}

function* sectionMarkup(section: Section, level: 2 | 3): Iterable<Markup> {
  switch (section.kind) {
    case 'heading': {
      const { text, tone = 'plain' } = section
      yield level === 2
        ? html`<h2 class="tone-${tone}">${text}</h2>\n`
        : html`<h3 class="tone-${tone}">${text}</h3>\n`
      break
    }
    case 'fields':
      yield fieldsMarkup(section.rows)
      break
    case 'table':
    case 'rows':
      yield* tableMarkup(section.columns, section.rows)
      break
    case 'list':
      yield html`<ul class="plain">\n`
      yield* limited(
        section.items,
        (item) => html`<li class="tone-${toneOf(item)}">${textOf(item).trimStart()}</li>\n`,
      )
      yield html`</ul>\n`
      break
    case 'entries':
      yield* limited(section.entries, entryMarkup)
      break
    case 'excerpt':
      yield html`<p>${section.title}</p>\n<pre>${lines(excerptLines(section).join('\n'))}</pre>\n`
      break
    case 'code':
      yield html`<pre>${lines(section.text)}</pre>\n`
  }
}

export function fieldsMarkup(rows: readonly (readonly [label: string, value: Cell])[]): Markup {
  return html`<dl>\n${rows.map(
    ([label, value]) =>
      html`<div><dt>${label}</dt><dd class="tone-${toneOf(value)}">${textOf(value)}</dd></div>\n`,
  )}</dl>\n`
}

/** A table that may be wider than the page scrolls by itself, so it can be reached by the keyboard. */
export function* tableMarkup(
  columns: readonly Omit<Column, 'width'>[],
  rows: Iterable<readonly Cell[]>,
): Iterable<Markup> {
  const head = columns.map(
    ({ label, align = 'left' }) => html`<th scope="col" class="${align}">${label}</th>`,
  )
  yield html`<div class="wide" tabindex="0" role="group" aria-label="table"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n`
  let left = 0
  let shown = 0
  for (const row of rows) {
    if (shown < MOST_ITEMS) {
      shown++
      const cells = row.map((cell, place) => cellMarkup(cell, columns[place]?.align ?? 'left'))
      yield html`<tr>${cells}</tr>\n`
    } else left++
  }
  yield html`</tbody>\n</table></div>\n`
  if (left > 0) yield leftOut(left)
}

function cellMarkup(cell: Cell, align: 'left' | 'right'): Markup {
  return html`<td class="${align} tone-${toneOf(cell)}">${textOf(cell)}</td>`
}

/** Bodies of more lines or characters are folded. */
const LONG_LINES = 40
const LONG_UNITS = 4000

function entryMarkup({ heading, tone, body = '' }: Entry): Markup {
  const who = html`<span class="who tone-${tone}">${heading}</span>`
  if (body === '') return html`<article class="entry"><p>${who}</p></article>\n`
  const text = html`<pre class="said">${lines(body)}</pre>`
  const isLong = body.length > LONG_UNITS || body.split('\n', LONG_LINES + 1).length > LONG_LINES
  if (!isLong) return html`<article class="entry"><p>${who}</p>${text}</article>\n`
  const size = plural(body.length, 'character')
  return html`<article class="entry"><details><summary>${who} <span class="meta">${size}</span></summary>${text}</details></article>\n`
}

function* limited<Item>(items: Iterable<Item>, write: (item: Item) => Markup): Iterable<Markup> {
  let count = 0
  for (const item of items) if (count++ < MOST_ITEMS) yield write(item)
  if (count > MOST_ITEMS) yield leftOut(count - MOST_ITEMS)
}

function leftOut(count: number): Markup {
  return html`<p class="note">… and ${grouped(count)} more, left out of this page; --format json or ndjson has all.</p>\n`
}

/** Any report as a page: its sections one under the other, with a stated limit on what a browser has to hold. */
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
