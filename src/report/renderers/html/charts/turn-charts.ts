/** The turns of a log: when they ran, and what they cost where the log says so. */
import type { Tokens } from '../../../../core/projections/statistics.ts'
import { OPEN, type TurnSpan, type TurnSpans } from '../../../../core/projections/turn-spans.ts'
import { momentText, spanText } from '../../../moment-text.ts'
import { grouped, lastOf } from '../../../number-text.ts'
import { html, type Markup } from '../markup.ts'
import { at, chartMarkup, HEIGHT, WIDTH } from './chart.ts'

/** Most marks of a chart; of more turns, neighbours are drawn as one. */
export const MOST_BARS = 300

/** Narrower than this nothing can be seen. */
const LEAST_WIDTH = 3

/** Turns that share a mark. */
export function runsOf(
  turns: readonly TurnSpan[],
  most: number = MOST_BARS,
): readonly (readonly TurnSpan[])[] {
  const size = Math.max(Math.ceil(turns.length / most), 1)
  const runs: TurnSpan[][] = []
  for (let start = 0; start < turns.length; start += size) runs.push(turns.slice(start, start + size))
  return runs
}

/** Whether the turn came to no end of its own. */
export function isCutOff({ outcome }: TurnSpan): boolean {
  return outcome === OPEN || outcome === 'interrupted'
}

export function timeChart({ turns, leftOut }: TurnSpans): Markup | undefined {
  if (turns.length === 0) return undefined
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { time, lastTime } of turns) {
    from = Math.min(from, time, lastTime)
    to = Math.max(to, time, lastTime)
  }
  const x = (time: number): number => (to > from ? (time - from) / (to - from) : 0) * (WIDTH - LEAST_WIDTH)
  const cutOff = turns.filter(isCutOff).length
  const badly = cutOff === 0 ? '' : `, ${grouped(cutOff)} of them cut off`
  return chartMarkup({
    id: 'times',
    title: 'Turns on a time line',
    says: `${lastOf(turns.length, turns.length + leftOut, 'turn')}${badly}, over ${spanText(to - from)}. Times are UTC.`,
    horizontal: [momentText(from), momentText(to)],
    isLane: true,
    drawing: runsOf(turns).map((run) => spanMarkup(run, x)),
    ...(cutOff > 0 && {
      legend: [
        { mark: 'bar-ok', text: 'a turn' },
        { mark: 'bar-bad', text: 'cut off (full height)' },
      ],
    }),
  })
}

/** What is cut off differs by height as well as by colour. */
function spanMarkup(run: readonly TurnSpan[], x: (time: number) => number): Markup {
  const times = run.flatMap(({ time, lastTime }) => [time, lastTime])
  const [left, right] = [x(Math.min(...times)), x(Math.max(...times))]
  const isBad = run.some(isCutOff)
  const [y, height] = isBad ? [0, HEIGHT] : [HEIGHT / 4, HEIGHT / 2]
  const outcomes = [...new Set(run.map(({ outcome }) => outcome))].join(', ')
  const says = `${nameOf(run)}: ${outcomes}, ${spanText(Math.max(...times) - Math.min(...times))}`
  return html`<rect class="${isBad ? 'bar-bad' : 'bar-ok'}" x="${at(left)}" width="${at(Math.max(right - left, LEAST_WIDTH))}" y="${y}" height="${height}"><title>${says}</title></rect>\n`
}

const PARTS = [
  { mark: 'bar-sent', text: 'sent anew', of: ({ input, cacheWrite }: Tokens) => input + cacheWrite },
  { mark: 'bar-cached', text: 'read from cache', of: ({ cacheRead }: Tokens) => cacheRead },
  { mark: 'bar-written', text: 'written by the model', of: ({ output }: Tokens) => output },
] as const

/** Nothing where the log has no counts. */
export function tokensChart({ turns, leftOut }: TurnSpans): Markup | undefined {
  if (!turns.some(({ tokens }) => tokens !== undefined)) return undefined
  const runs = runsOf(turns)
  const bars = runs.map((run) => PARTS.map(({ of }) => sum(run, of)))
  const highest = Math.max(...bars.map((bar) => bar.reduce((all, part) => all + part, 0)), 1)
  const step = WIDTH / runs.length
  const each = (runs[0]?.length ?? 1) > 1 ? ` A bar stands for ${runs[0]?.length} turns.` : ''
  const totals = PARTS.map(({ text, of }) => `${grouped(sum(turns, of))} ${text}`).join(', ')
  return chartMarkup({
    id: 'usage',
    title: 'Tokens per turn, as the provider counted them',
    says: `${lastOf(turns.length, turns.length + leftOut, 'turn')}: ${totals}.${each}`,
    vertical: [grouped(highest), '0'],
    horizontal: [nameOf(runs[0] ?? []), nameOf(runs.at(-1) ?? [])],
    drawing: runs.map((run, index) =>
      barMarkup(run, bars[index] ?? [], index * step, step, HEIGHT / highest),
    ),
    legend: PARTS.map(({ mark, text }) => ({ mark, text })),
  })
}

function barMarkup(
  run: readonly TurnSpan[],
  parts: readonly number[],
  left: number,
  step: number,
  scale: number,
): Markup {
  let top = HEIGHT
  const width = Math.min(step * 0.8, 80)
  const rects = parts.map((part, index) => {
    top -= part * scale
    return html`<rect class="${PARTS[index]?.mark}" x="${at(left + (step - width) / 2)}" width="${at(width)}" y="${at(top)}" height="${at(part * scale)}"/>`
  })
  const says = PARTS.map(({ text }, index) => `${grouped(parts[index] ?? 0)} ${text}`).join(', ')
  return html`<g><title>${nameOf(run)}: ${says}</title>${rects}</g>\n`
}

function sum(turns: readonly TurnSpan[], of: (tokens: Tokens) => number): number {
  return turns.reduce((all, { tokens }) => all + (tokens === undefined ? 0 : Math.max(of(tokens), 0)), 0)
}

function nameOf(run: readonly TurnSpan[]): string {
  const [first, last] = [run[0], run.at(-1)]
  if (first === undefined || last === undefined) return ''
  return first === last ? turnName(first) : `turns ${numberOf(first)} to ${numberOf(last)}`
}

export function turnName(span: TurnSpan): string {
  return `turn ${numberOf(span)}`
}

function numberOf({ turn, seq }: TurnSpan): string {
  return turn === undefined ? `at #${seq}` : String(turn)
}
