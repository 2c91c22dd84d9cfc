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
  remembered.clear()
  loaded = true
}

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const character of charactersOf(text)) width += characterWidth(character)
  return width
}

const MOST_REMEMBERED = 4096
/** Units of what is remembered. A longer piece of a text would keep the whole text in memory. */
const LONGEST_REMEMBERED = 12
const remembered = new Map<string, number>()

/** Texts repeat their characters, and the library takes microseconds for each. */
function characterWidth(character: string): number {
  let width = remembered.get(character)
  if (width !== undefined) return width
  width = stringWidth(character)
  if (character.length <= LONGEST_REMEMBERED) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(character, width)
  }
  return width
}

/** The same, but no more than `most`: of a text of any length only its beginning is measured. */
export function widthUpTo(text: string, most: number): number {
  return Math.min(displayWidth(text.slice(0, 16 * most)), most)
}

/** Cuts a text to at most `width` columns, with `…` where something is missing. */
export function fitWidth(text: string, width: number): string {
  if (width < 1) return ''
  if (ASCII.test(text)) return text.length <= width ? text : `${text.slice(0, Math.floor(width) - 1)}…`
  if (text.length <= 4 * width && displayWidth(text) <= width) return text
  let fitted = ''
  let used = 0
  for (const character of charactersOf(text.slice(0, 16 * width))) {
    const columns = characterWidth(character)
    if (used + columns > width - 1) break
    fitted += character
    used += columns
  }
  return `${fitted}…`
}

let segmenter: Intl.Segmenter | undefined

/** Units that are taken apart at once: the time that the segmenter takes grows with the square of its text. */
const WINDOW = 256

/** What is seen as one character each. One that is longer than a window is taken apart as well. */
function* charactersOf(text: string): Iterable<string> {
  // Made when the first text needs it, because that takes a while.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  let from = 0
  while (from < text.length) {
    const window = text.slice(from, from + WINDOW)
    const isEnd = from + window.length === text.length
    let length = 0
    for (const { segment } of segmenter.segment(window)) {
      // The last character of a window may go on after it.
      if (!isEnd && length > 0 && length + segment.length === window.length) break
      yield segment
      length += segment.length
    }
    from += length
  }
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(width - widthUpTo(text, width))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(width - widthUpTo(text, width)) + text
}

/**
 * Breaks a line into pieces of at most `width` columns, at blanks: only a word that is wider than a whole piece is
 * broken, and a character never is. Every piece takes at least one character from the line, whatever the width, so
 * there cannot be more pieces than characters. Linear in the line.
 */
export function* wrapLine(line: string, width: number): Iterable<string> {
  const columns = width >= 1 ? Math.floor(width) : 1
  // No piece is longer in units than this, however many of them take no column.
  const reach = 8 * columns + LONGEST_CHARACTER
  let from = startOfFirstPiece(line, columns, reach)
  do {
    const window = line.slice(from, from + reach)
    const isEnd = from + window.length === line.length
    if (isEnd && displayWidth(window) <= columns) {
      yield window
      return
    }
    const head = headLength(window, columns, isEnd)
    const cut = isBlank(line, from + head) ? head : breakIn(window, head)
    yield withoutBlanks(window.slice(0, cut))
    from = afterBlanks(line, from + cut)
  } while (from < line.length)
}

/** Units that one visible character may have before it may be broken as well. */
const LONGEST_CHARACTER = 64

/** Where the first piece begins: after the indentation, if that would break the first word. */
function startOfFirstPiece(line: string, columns: number, reach: number): number {
  const indent = afterBlanks(line, 0)
  if (indent === 0) return 0
  const space = line.indexOf(' ', indent)
  const end = space === -1 ? line.length : space
  return end <= reach && displayWidth(line.slice(0, end)) <= columns ? 0 : indent
}

function afterBlanks(line: string, from: number): number {
  let at = from
  while (isBlank(line, at)) at++
  return at
}

function withoutBlanks(piece: string): string {
  let end = piece.length
  while (piece[end - 1] === ' ') end--
  return piece.slice(0, end)
}

/** A blank that carries a mark is a visible character. */
function isBlank(line: string, at: number): boolean {
  return line[at] === ' ' && !MARK.test(line.slice(at + 1, at + 3))
}

const MARK = /^\p{M}/u

/** The last place in the first `length` units of `window` where a word ends; `length` where there is only one word. */
function breakIn(window: string, length: number): number {
  let at = length - 1
  while (at > 0 && !isBlank(window, at)) at--
  return at > 0 ? at : length
}

/** Units of the longest beginning that fits; one character at least. */
function headLength(window: string, columns: number, isEnd: boolean): number {
  if (ASCII.test(window)) return Math.min(columns, window.length)
  let length = 0
  let used = 0
  for (const character of charactersOf(window)) {
    used += characterWidth(character)
    // The last character of a window may go on after it.
    const isCut = !isEnd && length + character.length === window.length
    if (length > 0 && (used > columns || isCut)) break
    length += character.length
  }
  return length
}
