/** Sections as text for a terminal or a pipe. Every string is escaped here, whatever it was made of. */
import {
  displayWidth,
  fitWidth,
  loadMeasure,
  needsMeasure,
  padEnd,
  padStart,
  wrapLine,
} from '../display-width.ts'
import { escapeText } from '../escape-text.ts'
import { type Cell, type Column, type Entry, type Section, textOf, toneOf } from '../section.ts'
import type { Style } from '../style.ts'
import { excerptText } from './excerpt.ts'

const MAX_LABEL = 24
const WIDEST_CELL = 120

export async function* renderText(sections: Iterable<Section>, style: Style): AsyncIterable<string> {
  let first = true
  for (const section of sections) {
    if (!first && section.kind !== 'list') yield '\n'
    first = false
    yield* renderSection(section, style)
  }
}

async function* renderSection(section: Section, style: Style): AsyncIterable<string> {
  switch (section.kind) {
    case 'heading':
      yield `${style.paint(escapeText(section.text), section.tone ?? 'strong')}\n`
      break
    case 'fields':
      yield* fields(section.rows, style)
      break
    case 'table':
      yield await table(section.columns, section.rows, style)
      break
    case 'rows':
      yield* columns(section.columns, section.rows, style)
      break
    case 'list':
      for (const item of section.items) {
        await measurable([item])
        yield* wrapped(painted(item, style), item, style)
      }
      break
    case 'entries':
      yield* entries(section.entries, style)
      break
    case 'excerpt':
      yield* excerptText(section, style)
      break
    case 'code':
      for (const line of section.text.split('\n')) yield `${escapeText(line)}\n`
  }
}

async function* fields(rows: readonly (readonly [string, Cell])[], style: Style): AsyncIterable<string> {
  const width = Math.min(Math.max(0, ...rows.map(([label]) => label.length)), MAX_LABEL)
  for (const [label, value] of rows) {
    yield `${style.paint(padEnd(escapeText(label), width), 'dim')}  ${painted(value, style)}\n`
  }
}

async function table(
  heads: readonly Column[],
  rows: readonly (readonly Cell[])[],
  style: Style,
): Promise<string> {
  const { default: Table } = await import('cli-table3')
  for (const row of rows) await measurable(row)
  const drawn = new Table({
    head: heads.map((column) => style.paint(column.label, 'strong')),
    colAligns: heads.map((column) => column.align ?? 'left'),
    style: { head: [], border: [] },
    chars: PLAIN_LINES,
  })
  for (const row of rows)
    drawn.push(row.map((cell) => style.paint(fitWidth(escapeText(textOf(cell)), WIDEST_CELL), toneOf(cell))))
  return `${drawn.toString().replace(/ +$/gm, '')}\n`
}

/** No box: rows are quiet, and a table in a pipe stays easy to cut. */
const PLAIN_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
}

async function* columns(
  heads: readonly Column[],
  rows: Iterable<readonly Cell[]>,
  style: Style,
): AsyncIterable<string> {
  const place = (text: string, column: Column | undefined, isLast: boolean): string => {
    const width = column?.width ?? 0
    if (column?.align === 'right') return padStart(text, width)
    return isLast ? text : padEnd(text, width)
  }
  const heading = heads
    .map((column, index) => place(column.label, column, index === heads.length - 1))
    .join('  ')
  yield `${style.paint(heading.trimEnd(), 'dim')}\n`
  const room = style.width === undefined ? Number.POSITIVE_INFINITY : style.width
  for (const row of rows) {
    await measurable(row)
    let used = 0
    let line = ''
    for (const [index, cell] of row.entries()) {
      const isLast = index === row.length - 1
      let text = escapeText(textOf(cell))
      if (isLast && room !== Number.POSITIVE_INFINITY) text = fitWidth(text, Math.max(room - used, 12))
      const placed = place(text, heads[index], isLast)
      used += displayWidth(placed) + 2
      line += style.paint(placed, toneOf(cell)) + (isLast ? '' : '  ')
    }
    yield `${line.trimEnd()}\n`
  }
}

/** Entries with an empty line between them, as they come. */
export async function* entries(
  items: Iterable<Entry> | AsyncIterable<Entry>,
  style: Style,
): AsyncIterable<string> {
  let first = true
  for await (const { heading, tone, body } of items) {
    await measurable([body ?? ''])
    if (!first) yield '\n'
    first = false
    yield `${style.paint(escapeText(heading), tone)}\n`
    if (body === undefined || body === '') continue
    for (const raw of body.split('\n')) {
      const line = escapeText(raw.replace(/\t/g, '    '))
      const pieces = style.width === undefined ? [line] : wrapLine(line, Math.max(style.width - 2, 20))
      for (const piece of pieces)
        yield piece === '' ? '\n' : `  ${style.paint(piece, tone === 'dim' ? 'dim' : 'plain')}\n`
    }
  }
}

async function* wrapped(text: string, cell: Cell, style: Style): AsyncIterable<string> {
  if (style.width === undefined || displayWidth(escapeText(textOf(cell))) <= style.width) {
    yield `${text}\n`
    return
  }
  for (const piece of wrapLine(escapeText(textOf(cell)), style.width))
    yield `${style.paint(piece, toneOf(cell))}\n`
}

function painted(cell: Cell, style: Style): string {
  return style.paint(escapeText(textOf(cell)), toneOf(cell))
}

/** Loads what measures wide characters before the first text that has any. */
async function measurable(cells: readonly Cell[]): Promise<void> {
  if (cells.some((cell) => needsMeasure(textOf(cell)))) await loadMeasure()
}
