/**
 * Columns that a text takes on a terminal. Printable ASCII, nearly all there is, is measured here; the library for
 * the rest is slow to load, so it is loaded when the first text needs it.
 */
type Measure = (text: string) => number

/** One column a character: printable ASCII, and the marks that our own sentences use. */
const ASCII = /^[\x20-\x7e…→·]*$/

let stringWidth: Measure = (text) => text.length
let loaded = false

/** Makes sure that `text` can be measured. To be called before any other function here sees it. */
export function needsMeasure(text: string): boolean {
  return !loaded && !ASCII.test(text)
}

export async function loadMeasure(): Promise<void> {
  stringWidth = (await import('string-width')).default
  loaded = true
}

export function displayWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text)
}

/** Cuts a text to at most `width` columns, with `…` where something is missing. */
export function fitWidth(text: string, width: number): string {
  if (ASCII.test(text)) return text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 0))}…`
  if (text.length <= 4 * width && stringWidth(text) <= width) return text
  let fitted = ''
  let used = 0
  for (const { segment } of graphemes.segment(text.slice(0, 16 * width))) {
    const columns = stringWidth(segment)
    if (used + columns > width - 1) break
    fitted += segment
    used += columns
  }
  return `${fitted}…`
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - displayWidth(text), 0))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(width - displayWidth(text), 0)) + text
}

/** Breaks a line into pieces of at most `width` columns, at spaces where there are any. */
export function wrapLine(line: string, width: number): string[] {
  const pieces: string[] = []
  let rest = line
  while (displayWidth(rest) > width) {
    const head = headOf(rest, width)
    const space = head.lastIndexOf(' ')
    const cut = space > width / 3 ? space : head.length
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut).replace(/^ /, '')
  }
  pieces.push(rest)
  return pieces
}

function headOf(text: string, width: number): string {
  const start = text.slice(0, 8 * width)
  if (ASCII.test(start)) return start.slice(0, width)
  let head = ''
  let used = 0
  for (const { segment } of graphemes.segment(start)) {
    used += stringWidth(segment)
    if (used > width && head !== '') break
    head += segment
  }
  return head
}
