/** Help and remarks of any width: a line of help that is too long goes on under its own last column. */
import { loadMeasure, needsMeasure, wrapLine } from '../report/display-width.ts'

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

/** A remark on a terminal. A command to paste is not broken where it fits on a line of its own. */
export async function wrappedRemark(text: string, width: number): Promise<string> {
  if (needsMeasure(text)) await loadMeasure()
  const lines = text.split('\n').flatMap((line) => {
    const whole = line.replace(COMMAND, (command) =>
      command.length <= width ? command.replaceAll(' ', NO_BREAK) : command,
    )
    return [...wrapLine(whole, width)]
  })
  return lines.join('\n').replaceAll(NO_BREAK, ' ')
}

const COMMAND = /(?<=^|: )resurface [a-z-]+ .*$|"resurface [^"]*"/
const NO_BREAK = '\u00a0'
