/** Lines of a log with their numbers: a marked one is shown whole, the others are cut to the width of a terminal. */
import { fitWidth, loadMeasure, needsMeasure, padStart, wrapLine } from '../display-width.ts'
import { escapeText } from '../escape-text.ts'
import type { Section } from '../section.ts'
import type { Style } from '../style.ts'

type Excerpt = Extract<Section, { kind: 'excerpt' }>

/** Columns below which the text of a line goes under its number. */
const LEAST_ROOM = 12

export async function* excerptText({ title, lines }: Excerpt, style: Style): AsyncIterable<string> {
  const { width } = style
  for (const piece of piecesOf(escapeText(title), true, width)) yield `${style.paint(piece, 'strong')}\n`
  const digits = digitsOf(lines)
  const room = width === undefined ? undefined : width - gutterOf(0, false, digits).length
  const isNarrow = room !== undefined && room < LEAST_ROOM
  for (const { number, text, tone } of lines) {
    const isMarked = tone !== undefined
    const shown = escapeText(text)
    if (needsMeasure(shown)) await loadMeasure()
    let gutter = gutterOf(number, isMarked, digits)
    if (isNarrow) {
      for (const piece of piecesOf(gutter.trim(), true, width)) yield `${piece}\n`
      gutter = ''
    }
    for (const piece of piecesOf(shown, isMarked, isNarrow ? width : room)) {
      yield `${gutter}${style.paint(piece, tone ?? 'dim')}`.trimEnd()
      yield '\n'
      gutter = ' '.repeat(gutter.length)
    }
  }
}

export function excerptLines({ lines }: Excerpt): readonly string[] {
  const digits = digitsOf(lines)
  return lines.map(({ number, text, tone }) => gutterOf(number, tone !== undefined, digits) + text)
}

function piecesOf(text: string, isMarked: boolean, room: number | undefined): Iterable<string> {
  if (room === undefined) return [text]
  return isMarked ? wrapLine(text, room) : [fitWidth(text, room)]
}

function digitsOf(lines: Excerpt['lines']): number {
  return String(lines.at(-1)?.number ?? 0).length
}

function gutterOf(number: number, isMarked: boolean, digits: number): string {
  return `${isMarked ? '>' : ' '} ${padStart(String(number), digits)}  `
}
