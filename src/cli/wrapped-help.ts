/** Help of any width: a line that is too long goes on under its own last column. */
import { wrapLine } from '../report/display-width.ts'

/** Columns below which a text has the whole line rather than its column. */
const LEAST_ROOM = 20

export function wrappedHelp(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (line.length <= width ? [line] : wrapped(line, width)))
    .join('\n')
}

function wrapped(line: string, width: number): readonly string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  const [columns = indent] = /^ *\S.*? {2,}(?=\S)/.exec(line) ?? []
  const hang = width - columns.length >= LEAST_ROOM ? columns : indent
  if (width - hang.length < LEAST_ROOM) return [...wrapLine(line.trim().replace(/ {2,}/g, '  '), width)]
  const pieces = [...wrapLine(line.slice(hang.length), width - hang.length)]
  return pieces.map((piece, index) => `${index === 0 ? hang : ' '.repeat(hang.length)}${piece}`)
}
