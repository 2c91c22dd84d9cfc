/** The size of the surface along a log: a step curve, level between the events that change it. */
import type { SurfacePoint } from '../../../../core/projections/reduce-points.ts'
import type { SurfaceGrowth, SurfaceStep } from '../../../../core/projections/surface-growth.ts'
import { grouped, plural } from '../../../number-text.ts'
import { html, type Markup } from '../markup.ts'
import { at, type Chart, chartMarkup, HEIGHT, type LegendItem, WIDTH } from './chart.ts'

const CURVES = {
  tokens: {
    id: 'tokens',
    title: 'Estimated tokens that the model saw',
    noun: 'token',
    note: ' Estimated: one token for every four characters of text, reasoning and tool calls; pictures are not counted.',
  },
  nodes: { id: 'messages', title: 'Messages that the model saw', noun: 'message', note: '' },
} as const

/** Room above the highest point, so that the line is not cut in half. */
const HEADROOM = 1.05

/** Most marks of replacements; of more, the compactions are drawn, and then those that changed the tokens most. */
const MOST_MARKS = 150

/** @param lastSeq - where the log ends. @param more - follows under the chart. */
export function surfaceChart(
  growth: SurfaceGrowth,
  curve: keyof typeof CURVES,
  lastSeq: number,
  more: readonly Markup[] = [],
): Markup | undefined {
  const { points, replacements } = growth
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return undefined
  const { id, title, noun, note } = CURVES[curve]
  const highest = points.reduce((most, point) => Math.max(most, point[curve]), 0)
  const scale = scaleFor(first.seq, Math.max(lastSeq, last.seq, first.seq + 1), highest, curve)
  const marks = largest(replacements)
  const hidden = replacements.length - marks.length + growth.leftOut
  const unmarked = hidden > 0 ? ` ${plural(hidden, 'replacement')} without a mark.` : ''
  const most = `${plural(highest, noun)} at most, ${grouped(last[curve])} at the end`
  const chart: Chart = {
    id,
    title,
    says: `${most}; ${plural(replacements.length + growth.leftOut, 'replacement')}.${unmarked}${note}`,
    vertical: [grouped(highest), '0'],
    horizontal: [`#${first.seq}`, `#${Math.max(lastSeq, last.seq)}`],
    drawing: [...curveMarkup(points, scale), ...marks.map((step) => markOf(step, scale))],
    legend: legendOf(marks),
  }
  return chartMarkup(chart, more)
}

interface Scale {
  readonly x: (seq: number) => number
  readonly y: (point: SurfacePoint) => number
}

function scaleFor(from: number, to: number, highest: number, curve: 'nodes' | 'tokens'): Scale {
  const scale = HEIGHT / (Math.max(highest, 1) * HEADROOM)
  return {
    x: (seq) => ((Math.min(seq, to) - from) / (to - from)) * WIDTH,
    y: (point) => HEIGHT - point[curve] * scale,
  }
}

function curveMarkup(points: readonly SurfacePoint[], { x, y }: Scale): readonly Markup[] {
  const [first, ...rest] = points as [SurfacePoint, ...SurfacePoint[]]
  const steps = rest.map((point) => `H${at(x(point.seq))}V${at(y(point))}`).join('')
  const line = `M${at(x(first.seq))} ${at(y(first))}${steps}H${WIDTH}`
  return [
    html`<path class="area" d="${line}V${HEIGHT}H${at(x(first.seq))}Z"/>\n`,
    html`<path class="curve" d="${line}"/>\n`,
  ]
}

function markOf(step: SurfaceStep, { x }: Scale): Markup {
  const { seq, compaction, before, after } = step
  const what = compaction ? 'compaction' : 'replacement'
  const says = `${what} #${seq}: ${grouped(before.tokens)} to ${grouped(after.tokens)} tokens, ${grouped(before.nodes)} to ${grouped(after.nodes)} messages`
  return html`<line class="drop ${what}" x1="${at(x(seq))}" x2="${at(x(seq))}" y1="0" y2="${HEIGHT}"><title>${says}</title></line>\n`
}

/** The replacements that get a mark, in log order: every compaction first of all. */
export function largest(steps: readonly SurfaceStep[], most: number = MOST_MARKS): readonly SurfaceStep[] {
  if (steps.length <= most) return steps
  const rank = ({ compaction, before, after }: SurfaceStep): number =>
    Math.abs(before.tokens - after.tokens) + (compaction ? Number.MAX_SAFE_INTEGER / 2 : 0)
  return steps
    .toSorted((a, b) => rank(b) - rank(a) || a.seq - b.seq)
    .slice(0, most)
    .toSorted((a, b) => a.seq - b.seq)
}

function legendOf(marks: readonly SurfaceStep[]): readonly LegendItem[] {
  const compactions = marks.filter(({ compaction }) => compaction).length
  return [
    ...(compactions > 0 ? [{ mark: 'bar-bad', text: 'compaction' }] : []),
    ...(compactions < marks.length ? [{ mark: 'bar-cached', text: 'another replacement' }] : []),
  ]
}
