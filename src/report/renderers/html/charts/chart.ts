/**
 * The frame of a chart: a heading, a sentence that says what it shows, and the labels of its axes as text of the page,
 * so that they stay readable however small the chart is. The drawing itself is stretched to the room there is.
 */
import { html, type Markup } from '../markup.ts'

/** The drawing area, in units of its own. */
export const WIDTH = 1000
export const HEIGHT = 160

export interface Chart {
  /** Names the chart in the page; letters only. */
  readonly id: string
  readonly title: string
  /** What it shows, with the numbers that matter. */
  readonly says: string
  /** Text at the upper and the lower end of the vertical axis. */
  readonly vertical?: readonly [highest: string, lowest: string]
  /** Text at both ends of the horizontal axis. */
  readonly horizontal: readonly [first: string, last: string]
  readonly drawing: readonly Markup[]
  /** A chart of one lane is lower. */
  readonly isLane?: true
  readonly legend?: readonly LegendItem[]
}

export interface LegendItem {
  /** Class that colours the mark. */
  readonly mark: string
  readonly text: string
}

export function chartMarkup(chart: Chart, more: readonly Markup[] = []): Markup {
  const { id, title, says, vertical, horizontal, drawing, isLane, legend = [] } = chart
  const scale =
    vertical !== undefined &&
    html`<span class="highest">${vertical[0]}</span><span class="lowest">${vertical[1]}</span>`
  return html`<figure>
<figcaption><h3>${title}</h3><p class="note">${says}</p></figcaption>
<div class="plot">${scale}<svg${isLane && html` class="lane"`} role="img" aria-labelledby="${id}-title ${id}-says" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
<title id="${id}-title">${title}</title><desc id="${id}-says">${says}</desc>
${drawing}</svg>
<span class="axis"><span>${horizontal[0]}</span><span>${horizontal[1]}</span></span></div>
${legendMarkup(legend)}${more}</figure>
`
}

function legendMarkup(items: readonly LegendItem[]): Markup | undefined {
  if (items.length === 0) return undefined
  const entries = items.map(
    ({ mark, text }) =>
      html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" class="${mark}"/></svg>${text}</li>`,
  )
  return html`<ul class="legend">${entries}</ul>\n`
}

/** A coordinate, short. A damaged log may hold times and counts that no drawing has room for. */
export function at(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : '0'
}
