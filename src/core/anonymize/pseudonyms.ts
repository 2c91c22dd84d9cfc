/**
 * Neutral text and numbers in the place of others. What was equal stays equal and what differed stays different: values
 * of the same shape are distinguished by a number that counts them in the order of their appearance, so nothing of the
 * value goes into it, and nobody can try values until one fits.
 *
 * A text keeps its length, in UTF-16 units and in UTF-8 bytes, and where it has blanks, line ends, quotes, backslashes,
 * colons, slashes and dashes: so much of its shape decides whether it is blank, a path or an id.
 */
import { CLOSING_RESULT_ID } from '../event-types/closers.ts'
import { survives } from '../json/json-anomalies.ts'

/** Ids that DSH and its repair make of others, and prefixes that say what follows: these parts are constants. An id has
 * no blanks, so prose is none, and the number is a seq. */
const COMPOSED: readonly RegExp[] = [
  CLOSING_RESULT_ID,
  /^(legacy-message:|repaired-message:)(\S*)(:\d{1,9})$/,
  /^(repaired-call:)(\S*)(:\d{1,9}:\d{1,9})$/,
  /^(v2-to-v3-system-|sha256:|plugin:)(\S*)()$/,
]
const LONGEST_COMPOSED = 1024

/** By size in UTF-8, what stands for a character and the digits that may take its place. */
const ALPHABETS: ReadonlyMap<string, readonly string[]> = new Map(
  ['x0123456789', '×°±²³¼½¾', 'ｘ０１２３４５６７８９', '𝗑𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗'].map((symbols) => {
    const list = [...symbols]
    return [list[0] as string, list]
  }),
)
/** Texts too short for a word may use letters, of which there are more. */
const SHORT = 4
const SHORT_ALPHABET = [...'x0123456789abcdefghijklmnopqrstuvwyz']

const SYMBOL = /[x×ｘ𝗑]/u

const LONE_SURROGATE = /\p{Surrogate}/gu
const FOUR_BYTES = /[\u{10000}-\u{10ffff}]/gu
const THREE_BYTES = /[\u0800-\ud7ff\ue000-\uffff]/g
const TWO_BYTES = /[\u0080-\u07ff]/g
/** Whitespace beyond ASCII stays, for it decides whether a text is blank. */
const WIDE_BLANK = /^\s$/
const ONE_BYTE = /[^\u0000-\u0020"\\/:\-\u0080-\uffff]/g

/** Whether a text has nothing in it that would be replaced. */
export function saysNothing(text: string): boolean {
  return !SAYING.test(text)
}
const SAYING = /[^\s\u0000-\u0020"\\/:-]/

export class Pseudonyms {
  readonly #print: (text: string) => string
  readonly #constant: ReadonlySet<string>
  /** Number of a text among those of its shape, and how many there are of a shape. */
  readonly #places = new Map<string, number>()
  readonly #counts = new Map<string, number>()

  /**
   * @param print - something short that is the same for equal texts and for no others. It is not written anywhere.
   * @param constant - texts that stay, wherever they stand.
   */
  constructor(print: (text: string) => string, constant: ReadonlySet<string> = new Set()) {
    this.#print = print
    this.#constant = constant
  }

  isConstant(text: string): boolean {
    return this.#constant.has(text)
  }

  /** The text that stands for this one. */
  textFor(text: string): string {
    if (this.#constant.has(text)) return text
    if (text.length <= LONGEST_COMPOSED) {
      for (const pattern of COMPOSED) {
        const [, before, inner, after] = pattern.exec(text) ?? []
        if (inner !== undefined) return `${before}${this.textFor(inner)}${after}`
      }
    }
    const blank = blankedText(text)
    return SYMBOL.test(blank) ? numbered(blank, this.#placeOf(text, blank)) : blank
  }

  /**
   * The number that stands for one of a JSON text: as many digits, the same sign, whole or not, and zero only for zero.
   */
  numberFor(written: string): string {
    const [, sign = '', whole = '', fraction = '', exponent = ''] = NUMBER.exec(written) ?? []
    if (!/[1-9]/.test(whole + fraction)) return written
    const isWhole = !/[1-9]/.test(fraction)
    const first = whole === '0' ? whole : this.#wholeFor(written, whole)
    const after = isWhole ? fraction : fraction.replace(/\d/g, '0').replace(/0$/, '1')
    const neutral = `${sign}${first}${after}${exponent}`
    return exponent === '' || isAlikeInSize(neutral, written)
      ? neutral
      : `${sign}${(whole + fraction).replace(/\d/g, '9')}${exponent}`
  }

  #wholeFor(written: string, whole: string): string {
    const digits = whole.length
    // A number that a reader cannot hold exactly has to stay one.
    if (digits > MOST_DIGITS) {
      const isExact = survives(whole)
      return (isExact ? '1' : '9').padEnd(digits, isExact ? '0' : '9')
    }
    const least = 10 ** (digits - 1)
    const place = this.#placeOf(`\0number ${written}`, `\0number ${digits}`)
    return String(least + (place % (9 * least)))
  }

  #placeOf(text: string, shape: string): number {
    const key = this.#key(text)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const shapeKey = this.#key(shape)
    const place = this.#counts.get(shapeKey) ?? 0
    this.#counts.set(shapeKey, place + 1)
    this.#places.set(key, place)
    return place
  }

  #key(text: string): string {
    return text.length <= LONGEST_KEY ? text : `print ${this.#print(text)}`
  }
}

/** A number of JSON in its parts: sign, whole, fraction with its point, exponent with its letter. */
const NUMBER = /^(-?)(\d+)(\.\d+)?([eE].*)?$/

/** Longer texts are remembered by their print. */
const LONGEST_KEY = 64
const MOST_DIGITS = 15

/** Whether both are too large to be read, or too small, or neither. */
function isAlikeInSize(left: string, right: string): boolean {
  const [a, b] = [Number(left), Number(right)]
  return Number.isFinite(a) === Number.isFinite(b) && (a === 0) === (b === 0)
}

/** The text with every character that says something replaced by the one that stands for its size. */
export function blankedText(text: string): string {
  return bySlices(text, blankedSlice)
}

/** Longer texts are changed slice by slice: what is noted of each match would take many times their room. */
const SLICE_UNITS = 64 * 1024

/** @param change - of every character for itself. */
export function bySlices(text: string, change: (slice: string) => string): string {
  if (text.length <= SLICE_UNITS) return change(text)
  const slices: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + SLICE_UNITS
    const next = isHigh(text.charCodeAt(end - 1)) ? end + 1 : end
    slices.push(change(text.slice(at, next)))
    at = next
  }
  return slices.join('')
}

function blankedSlice(text: string): string {
  const short = text.replace(ONE_BYTE, 'x')
  if (/^[\u0000-\u007f]*$/.test(short)) return short
  return short
    .replace(LONE_SURROGATE, '\udfff')
    .replace(FOUR_BYTES, '𝗑')
    .replace(THREE_BYTES, (character) => (WIDE_BLANK.test(character) ? character : 'ｘ'))
    .replace(TWO_BYTES, (character) => (WIDE_BLANK.test(character) ? character : '×'))
}

/** Writes a number into the last characters of a blanked text, as digits that have their size. */
function numbered(blank: string, place: number): string {
  if (place === 0) return blank
  const isShort = blank.length < SHORT
  const tail: string[] = []
  let rest = place
  let at = blank.length
  while (rest > 0 && at > 0) {
    const isPair = at >= 2 && isLow(blank.charCodeAt(at - 1)) && isHigh(blank.charCodeAt(at - 2))
    const start = at - (isPair ? 2 : 1)
    const character = blank.slice(start, at)
    at = start
    const alphabet = isShort && character === 'x' ? SHORT_ALPHABET : ALPHABETS.get(character)
    if (alphabet === undefined) {
      tail.push(character)
      continue
    }
    tail.push(alphabet[rest % alphabet.length] as string)
    rest = Math.floor(rest / alphabet.length)
  }
  return blank.slice(0, at) + tail.reverse().join('')
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
