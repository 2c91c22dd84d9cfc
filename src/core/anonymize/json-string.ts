/**
 * JSON strings as they are spelled: where one ends, what it says, and how another text of the same shape is spelled so
 * that the line keeps its length.
 */

const QUOTE = '"'
const BACKSLASH = '\\'

export interface StringToken {
  /** Offset after the closing quote, or the end of the text. */
  readonly end: number
  readonly value: string
  /** Absent for a string that the text ends in. */
  readonly closed: boolean
  /** Characters after the last one that is whole, in an open string. */
  readonly rest: string
}

/** The string whose opening quote is at `start`; `undefined` when it is none. */
export function stringAt(text: string, start: number): StringToken | undefined {
  for (let quote = text.indexOf(QUOTE, start + 1); quote !== -1; quote = text.indexOf(QUOTE, quote + 1)) {
    if (backslashesBefore(text, quote, start + 1) % 2 === 1) continue
    const value = saidBy(text.slice(start + 1, quote))
    return value === undefined ? undefined : { end: quote + 1, value, closed: true, rest: '' }
  }
  const open = text.slice(start + 1)
  const [rest = ''] = OPEN_ESCAPE.exec(open) ?? []
  const isEscape = backslashesBefore(open, open.length - rest.length, 0) % 2 === 0
  const whole = isEscape ? open.slice(0, open.length - rest.length) : open
  const value = saidBy(whole)
  return value === undefined
    ? undefined
    : { end: text.length, value, closed: false, rest: open.slice(whole.length) }
}

/** The beginning of an escape that is cut off. */
const OPEN_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/

function backslashesBefore(text: string, at: number, from: number): number {
  let start = at
  while (start > from && text[start - 1] === BACKSLASH) start--
  return at - start
}

const SPELLED = /[\\\u0000-\u001f]/

function saidBy(inner: string): string | undefined {
  if (!SPELLED.test(inner)) return inner
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return undefined
  }
}

/**
 * Spells `replacement` as `inner` is spelled: an escape where there was one.
 *
 * @param inner - the spelling between the quotes.
 * @param replacement - as many UTF-16 units as `inner` says, the same ones where a short escape is.
 */
export function spelledLike(inner: string, replacement: string): string {
  let slash = inner.indexOf(BACKSLASH)
  if (slash === -1) return replacement
  const parts: string[] = []
  let at = 0
  let unit = 0
  while (slash !== -1) {
    parts.push(replacement.slice(unit, unit + slash - at))
    unit += slash - at
    const isCode = inner[slash + 1] === 'u'
    parts.push(isCode ? codeOf(replacement, unit) : inner.slice(slash, slash + 2))
    unit++
    at = slash + (isCode ? 6 : 2)
    slash = inner.indexOf(BACKSLASH, at)
  }
  parts.push(replacement.slice(unit))
  return parts.join('')
}

function codeOf(text: string, unit: number): string {
  return `\\u${text.charCodeAt(unit).toString(16).padStart(4, '0')}`
}
