/**
 * Columns that a text takes on a terminal. Printable Latin text, nearly all there is, is measured here; the library for
 * the rest is slow to load, so it is loaded when the first text needs it.
 */
type Measure = (text: string) => number

/** One column a character: printable Latin text, and the marks that our own sentences use. */
const ASCII = /^[\x20-\x7e\xa1-\xac\xae-\u02ff…→]*$/

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
  for (const { segment } of segmentsOf(text.slice(0, 16 * width))) {
    const columns = stringWidth(segment)
    if (used + columns > width - 1) break
    fitted += segment
    used += columns
  }
  return `${fitted}…`
}

let segmenter: Intl.Segmenter | undefined

/** Made when the first text needs it, because that takes a while. */
function segmentsOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - displayWidth(text), 0))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(width - displayWidth(text), 0)) + text
}

/** Breaks a line into pieces of at most `width` columns, at spaces where there are any. Linear in the line. */
export function* wrapLine(line: string, width: number): Iterable<string> {
  // No piece is longer in units than this, however many of them take no column.
  const reach = 8 * width
  let from = 0
  for (;;) {
    const window = line.slice(from, from + reach)
    if (from + window.length === line.length && displayWidth(window) <= width) {
      yield window
      return
    }
    const head = headOf(window, width)
    const space = head.lastIndexOf(' ')
    const cut = space > width / 3 ? space : head.length
    yield window.slice(0, cut)
    from += cut
    if (line[from] === ' ') from++
  }
}

const MOST_REMEMBERED = 4096
const remembered = new Map<string, number>()

/** Texts repeat their characters, and measuring one is slow. */
function segmentWidth(segment: string): number {
  let width = remembered.get(segment)
  if (width === undefined) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    width = stringWidth(segment)
    remembered.set(segment, width)
  }
  return width
}

function headOf(text: string, width: number): string {
  if (ASCII.test(text)) return text.slice(0, width)
  let head = ''
  let used = 0
  for (const { segment } of segmentsOf(text)) {
    used += segmentWidth(segment)
    if (used > width && head !== '') break
    head += segment
  }
  return head
}
