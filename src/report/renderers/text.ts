/** Sections as text for a terminal or a pipe. Every string is escaped here, whatever it was made of. */
import {
  displayWidth,
  fitWidth,
  loadMeasure,
  needsMeasure,
  padEnd,
  padStart,
  widthUpTo,
  wrapLine,
} from '../display-width.ts'
import { escapeText } from '../escape-text.ts'
import { type Cell, type Column, type Entry, type Section, textOf, toneOf } from '../section.ts'
import type { Style } from '../style.ts'
import { excerptText } from './excerpt.ts'

const MAX_LABEL = 24
const WIDEST_CELL = 120
const LONGEST_NUMBER = 20
/** Columns below which a text is better off with the whole width than next to something. */
const LEAST_ROOM = 12
const INDENT = '  '

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
      yield* paragraph({ text: section.text, tone: section.tone ?? 'strong' }, style)
      break
    case 'fields':
      yield* fields(section.rows, style)
      break
    case 'table':
      yield* table(section.columns, section.rows, style)
      break
    case 'rows':
      yield* columns(section.columns, section.rows, style)
      break
    case 'list':
      for (const item of section.items) yield* paragraph(item, style)
      break
    case 'entries':
      yield* entryBlocks(section.entries, style)
      break
    case 'excerpt':
      yield* excerptText(section, style)
      break
    case 'code':
      for (const line of section.text.split('\n')) yield `${escapeText(line)}\n`
  }
}

async function* fields(rows: readonly (readonly [string, Cell])[], style: Style): AsyncIterable<string> {
  const labels = Math.min(Math.max(0, ...rows.map(([label]) => label.length)), MAX_LABEL)
  for (const [label, value] of rows) {
    await measurable([label, value])
    const name = escapeText(label)
    const margin = Math.max(displayWidth(name), labels) + 2
    const room = style.width === undefined ? undefined : style.width - margin
    if (room !== undefined && room < LEAST_ROOM) {
      yield* paragraph({ text: `${label}  ${textOf(value)}`, tone: toneOf(value) }, style)
      continue
    }
    let before = `${style.paint(padEnd(name, labels), 'dim')}  `
    for (const piece of broken(escapeText(textOf(value)), room)) {
      yield `${before}${style.paint(piece, toneOf(value))}\n`
      before = ' '.repeat(margin)
    }
  }
}

async function* table(
  heads: readonly Column[],
  rows: readonly (readonly Cell[])[],
  style: Style,
): AsyncIterable<string> {
  const { default: Table } = await import('cli-table3')
  for (const row of rows) await measurable(row)
  const texts = rows.map((row) => row.map((cell) => fitWidth(escapeText(textOf(cell)), WIDEST_CELL)))
  if (style.width !== undefined && tableWidth(heads, texts) > style.width) {
    yield* columns(heads, rows, style)
    return
  }
  const drawn = new Table({
    head: heads.map((column) => style.paint(column.label, 'strong')),
    colAligns: heads.map((column) => column.align ?? 'left'),
    style: { head: [], border: [] },
    chars: PLAIN_LINES,
  })
  for (const [index, row] of rows.entries())
    drawn.push(row.map((cell, place) => style.paint(texts[index]?.[place] ?? '', toneOf(cell))))
  yield `${drawn.toString().replace(/ +$/gm, '')}\n`
}

/** Every column has a blank on both sides, and one more between two of them. */
function tableWidth(heads: readonly Column[], texts: readonly (readonly string[])[]): number {
  const widths = heads.map(({ label }, place) =>
    Math.max(...[label, ...texts.map((row) => row[place] ?? '')].map(displayWidth)),
  )
  return widths.reduce((sum, width) => sum + width + 3, -1)
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

/** Columns that are left on the line; not known where there is no end to it. */
function roomAfter(placed: readonly string[], width: number | undefined): number | undefined {
  return width && width - placed.reduce((sum, text) => sum + widthUpTo(text, width) + 2, 0)
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
    .trimEnd()
  let block = ''
  for (const piece of broken(heading, style.width)) block += `${style.paint(piece, 'dim')}\n`
  for (const row of rows) {
    if (block.length >= BLOCK_UNITS) {
      yield block
      block = ''
    }
    if (row.some(isWide)) await loadMeasure()
    const texts = row.map((cell) => escapeText(textOf(cell)))
    const column = heads[row.length - 1]
    const last = place(texts.pop() ?? '', column, true)
    const placed = texts.map((text, index) => place(text, heads[index], false))
    const room = roomAfter(placed, style.width)
    // A number is not cut, and a text not to next to nothing.
    const least = column?.align === 'right' ? LONGEST_NUMBER : LEAST_ROOM
    if (room !== undefined && room < widthUpTo(last, least)) {
      const line = [...placed, last]
        .map((text) => text.trim())
        .filter((text) => text !== '')
        .join('  ')
      for (const piece of broken(line, style.width)) block += `${piece}\n`
      continue
    }
    const shown = [...placed, room === undefined ? last : fitWidth(last, room)]
    const painted = row.map((cell, index) => style.paint(shown[index] ?? '', toneOf(cell)))
    block += `${painted.join('  ').trimEnd()}\n`
  }
  yield block
}

/** Rows and entries are printed in blocks: a million of them are not a million turns of the event loop. */
const BLOCK_UNITS = 64 * 1024

/** Entries with an empty line between them, as they come. */
export async function* entries(items: AsyncIterable<Entry>, style: Style): AsyncIterable<string> {
  let before = ''
  for await (const entry of items) {
    if (isWideEntry(entry)) await loadMeasure()
    yield before + entryText(entry, style)
    before = '\n'
  }
}

async function* entryBlocks(items: Iterable<Entry>, style: Style): AsyncIterable<string> {
  let block = ''
  let before = ''
  for (const entry of items) {
    if (isWideEntry(entry)) await loadMeasure()
    block += before + entryText(entry, style)
    before = '\n'
    if (block.length < BLOCK_UNITS) continue
    yield block
    block = ''
  }
  yield block
}

function entryText({ heading, tone, body }: Entry, style: Style): string {
  const indent = style.width !== undefined && style.width < LEAST_ROOM ? '' : INDENT
  const room = style.width === undefined ? undefined : style.width - indent.length
  let text = paragraphText({ text: heading, tone }, style)
  if (body === undefined || body === '') return text
  for (const raw of body.split('\n')) {
    const line = escapeText(raw.replace(/\t/g, '    '))
    for (const piece of broken(line, room))
      text += piece === '' ? '\n' : `${indent}${style.paint(piece, tone === 'dim' ? 'dim' : 'plain')}\n`
  }
  return text
}

async function* paragraph(cell: Cell, style: Style): AsyncIterable<string> {
  await measurable([cell])
  yield paragraphText(cell, style)
}

/** Its lines are all indented as its first one is, where there is room for that. */
function paragraphText(cell: Cell, style: Style): string {
  const text = escapeText(textOf(cell))
  const margin = text.length - text.trimStart().length
  const hangs = style.width !== undefined && style.width - margin >= LEAST_ROOM
  const indent = hangs ? text.slice(0, margin) : ''
  const room = style.width === undefined ? undefined : style.width - indent.length
  let lines = ''
  for (const piece of broken(text.slice(indent.length), room))
    lines += `${indent}${style.paint(piece, toneOf(cell))}\n`
  return lines
}

/** The lines that a text takes, one where there is no limit. A command to paste is not broken where it fits on one. */
function* broken(text: string, width: number | undefined): Iterable<string> {
  if (width === undefined) yield text
  else
    for (const piece of wrapLine(
      text.replace(COMMAND, (command) => unbreakable(command, width)),
      width,
    ))
      yield piece.replaceAll(NO_BREAK, ' ')
}

const COMMAND = /"resurface [^"]*"/g
const NO_BREAK = '\u00a0'

function unbreakable(command: string, width: number): string {
  return command.length <= width ? command.replaceAll(' ', NO_BREAK) : command
}

/** Loads what measures wide characters before the first text that has any. */
async function measurable(cells: readonly Cell[]): Promise<void> {
  if (cells.some(isWide)) await loadMeasure()
}

function isWide(cell: Cell): boolean {
  return needsMeasure(textOf(cell))
}

function isWideEntry({ heading, body = '' }: Entry): boolean {
  return needsMeasure(heading) || needsMeasure(body)
}
