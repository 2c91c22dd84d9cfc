/** Lines of a log with their numbers: a marked one is shown whole, the others are cut to the width of a terminal. */
import { fitWidth, loadMeasure, needsMeasure, padStart, wrapLine } from '../display-width.ts'
import { escapeText } from '../escape-text.ts'
import type { Section } from '../section.ts'
import type { Style } from '../style.ts'

type Excerpt = Extract<Section, { kind: 'excerpt' }>

const LEAST_ROOM = 20

export async function* excerptText({ title, lines }: Excerpt, style: Style): AsyncIterable<string> {
  yield `${style.paint(escapeText(title), 'strong')}\n`
  const digits = digitsOf(lines)
  const room = style.width === undefined ? undefined : Math.max(style.width - digits - 4, LEAST_ROOM)
  for (const { number, text, tone } of lines) {
    const shown = escapeText(text)
    if (needsMeasure(shown)) await loadMeasure()
    let gutter = gutterOf(number, tone !== undefined, digits)
    for (const piece of piecesOf(shown, tone !== undefined, room)) {
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
