/**
 * Walks over JSON by its bytes, exactly as `JSON.stringify` spells it, without building what it says. Every step takes
 * an offset and gives the one after what it expects, or {@link NOT}, which every other step passes on.
 *
 * This is where most bytes of a long log go through, so it is written for speed: four bytes at a time, offsets in local
 * variables, and what was read left in one place.
 */

const ZERO = 0x30
const SPACE = 0x20
const ASCII = 0x7f
const BACKSLASH = 0x5c
const QUOTE = 0x22
const COMMA = 0x2c
const BRACKET = 0x5d
/** Numbers with more digits may not be exact. */
const MOST_DIGITS = 15
/** Where nothing fits. */
export const NOT = -1

/** Bytes of which parts can be read as text; a `Buffer` is some. */
export interface TextBytes extends Uint8Array {
  toString(encoding?: 'utf8' | 'latin1', start?: number, end?: number): string
}

/** An ASCII text of four characters or more to compare with, four to a word; the last word may overlap the one before. */
export interface Pattern {
  readonly length: number
  readonly words: Int32Array
  readonly lastWord: number
}

export function pattern(text: string): Pattern {
  const { length } = text
  const words = Int32Array.from({ length: length >> 2 }, (_, index) => wordAt(text, index * 4))
  return { length, words, lastWord: wordAt(text, length - 4) }
}

function wordAt(text: string, start: number): number {
  let word = 0
  for (let at = start + 3; at >= start; at--) word = (word << 8) | text.charCodeAt(at)
  return word
}

/** What may follow a backslash, for the writer spells nothing else that way but control characters. */
const ESCAPED = new Uint8Array(256)
for (const character of '"\\bfnrt') ESCAPED[character.charCodeAt(0)] = 1

/** Numbers that were walked over last, each at the place that was asked for; typed, because times would be boxed elsewhere. */
export const numbers = new Float64Array(8)

/** Whether strings held bytes above ASCII, which may be no UTF-8, and escapes. */
export const seen = { longCharacter: false, escape: false }

/** The view that was walked over last, and its length: on Node 20 the getter is a call of its own. */
let measured: DataView = new DataView(new ArrayBuffer(0))
let measuredLength = 0

function lengthOf(view: DataView): number {
  if (view !== measured) {
    measured = view
    measuredLength = view.byteLength
  }
  return measuredLength
}

export function after(view: DataView, at: number, { length, words, lastWord }: Pattern): number {
  const end = at + length
  if (at === NOT || end > lengthOf(view)) return NOT
  for (let index = 0; index < words.length; index++) {
    if (view.getInt32(at + index * 4, true) !== words[index]) return NOT
  }
  return view.getInt32(end - 4, true) === lastWord ? end : NOT
}

/** The place after a whole number as JSON writes it, which is left at `place` of {@link numbers}. */
export function afterNumber(view: DataView, start: number, place: number): number {
  if (start === NOT) return NOT
  const length = lengthOf(view)
  let at = start
  let sum = 0
  for (; at < length; at++) {
    const digit = view.getUint8(at) - ZERO
    if (digit < 0 || digit > 9) break
    sum = sum * 10 + digit
  }
  const digits = at - start
  if (digits === 0 || digits > MOST_DIGITS || (digits > 1 && view.getUint8(start) === ZERO)) return NOT
  numbers[place] = sum
  return at
}

/** The sign bit of every byte of a word. */
const SIGNS = 0x80808080 | 0
const ONES = 0x01010101
const SPACES = 0x20202020
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c

/** The place after the closing quote of a string whose opening quote has been passed; nothing after `length` is looked at. */
export function afterString(view: DataView, start: number, length: number = lengthOf(view)): number {
  if (start === NOT) return NOT
  const lastWord = length - 4
  let at = start
  while (at < length) {
    if (at <= lastWord) {
      // A sign bit is left for every byte that is a quote, a backslash or below a space (and perhaps for those after it).
      const word = view.getInt32(at, true)
      const quotes = word ^ QUOTES
      const backslashes = word ^ BACKSLASHES
      const special =
        (((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | ((word - SPACES) & ~word)) &
        SIGNS
      if ((word & SIGNS) !== 0) seen.longCharacter = true
      if (special === 0) {
        at += 4
        continue
      }
      at += (31 - Math.clz32(special & -special)) >> 3
    }
    const byte = view.getUint8(at++)
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) {
      seen.escape = true
      if (at === length || ESCAPED[view.getUint8(at++)] !== 1) return NOT
    } else if (byte < SPACE) return NOT
    else if (byte > ASCII) seen.longCharacter = true
  }
  return NOT
}

/** The place after a list of whole numbers whose opening bracket has been passed; their sum and their number are left at two places. */
export function afterNumberList(view: DataView, start: number, sumAt: number, countAt: number): number {
  if (start === NOT) return NOT
  const length = lengthOf(view)
  let at = start
  let sum = 0
  let count = 0
  let number = 0
  let first = at
  for (; at < length; at++) {
    const byte = view.getUint8(at)
    const digit = byte - ZERO
    if (digit >= 0 && digit <= 9) {
      number = number * 10 + digit
      continue
    }
    const digits = at - first
    if (digits === 0 || digits > MOST_DIGITS || (digits > 1 && view.getUint8(first) === ZERO)) {
      if (digits === 0 && byte === BRACKET && count === 0) break
      return NOT
    }
    sum += number
    count++
    if (byte === BRACKET) break
    if (byte !== COMMA) return NOT
    first = at + 1
    number = 0
  }
  if (at === length) return NOT
  numbers[sumAt] = sum
  numbers[countAt] = count
  return at + 1
}

/** The place after the strings of a list, one at least, before what ends it; their number is left at `countAt`. */
export function afterStrings(view: DataView, start: number, countAt: number): number {
  let at = start
  let count = 0
  for (;;) {
    if (at === NOT || at >= lengthOf(view) || view.getUint8(at) !== QUOTE) return NOT
    at = afterString(view, at + 1)
    count++
    if (at === NOT || at === lengthOf(view) || view.getUint8(at) !== COMMA) break
    at++
  }
  numbers[countAt] = count
  return at
}
