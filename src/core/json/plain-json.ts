/**
 * Proves by its bytes that a text is JSON that hides nothing from anyone who parses it (`json-anomalies.ts`): the answer for
 * almost every record, at a fraction of what the closer look costs. It takes what `JSON.stringify` spells, so a space
 * between two values, an escape that need not be one, an exponent or a long number is left to the closer look.
 */
import { afterString, NOT } from './json-bytes.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const UPPER_E = 0x45
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const LOWER_E = 0x65
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const WORDS = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]))

/** Numbers with fewer characters, and without an exponent, are read as they are written. */
const MOST_DIGITS = 15
const DEEPEST = 64
/** More members than any record of DSH has open at once; each is compared with those of its own object. */
const MOST_MEMBERS = 256

/** Members of the open objects, by where their names begin and end. */
const starts = new Int32Array(MOST_MEMBERS)
const ends = new Int32Array(MOST_MEMBERS)
/** For every open object or list the number of members when it was opened, and whether it is an object. */
const opened = new Int32Array(DEEPEST + 1)
const isObject = new Uint8Array(DEEPEST + 1)

/**
 * @param bytes - in valid UTF-8.
 * @returns true when it surely is JSON in which every member, number and string is what it seems; false says nothing.
 */
export function isPlainJson(bytes: Uint8Array): boolean {
  const end = bytes.length
  const view = new DataView(bytes.buffer, bytes.byteOffset, end)
  let depth = 0
  let members = 0
  let at = 0
  // One value, or the beginning of a list or object, in every turn.
  while (at < end) {
    let byte = view.getUint8(at)
    let isEmpty = false
    if (byte === QUOTE) at = afterString(view, at + 1, end)
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (depth === DEEPEST) return false
      opened[++depth] = members
      isObject[depth] = byte === OPEN_OBJECT ? 1 : 0
      isEmpty = true
      at++
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) at = afterNumber(view, at, end)
    else at = afterWord(view, at, end, byte)
    if (at === NOT) return false
    // What ends here, up to where the next value begins.
    for (;;) {
      if (depth === 0) return at === end
      if (at >= end) return false
      byte = view.getUint8(at)
      const inObject = isObject[depth] === 1
      if (byte === (inObject ? CLOSE_OBJECT : CLOSE_LIST)) {
        members = opened[depth--] as number
        isEmpty = false
        at++
        continue
      }
      if (!isEmpty) {
        if (byte !== COMMA) return false
        at++
      }
      if (!inObject) break
      const start = at + 1
      if (at >= end || view.getUint8(at) !== QUOTE || members === MOST_MEMBERS) return false
      at = afterString(view, start, end)
      if (at === NOT || at >= end || view.getUint8(at) !== COLON) return false
      if (isAmong(view, opened[depth] as number, members, start, at)) return false
      starts[members] = start
      ends[members] = at
      members++
      at++
      break
    }
  }
  return false
}

/** The place after a number that begins here. */
function afterNumber(view: DataView, start: number, end: number): number {
  const first = view.getUint8(start) === MINUS ? start + 1 : start
  let dot = NOT
  let byte = 0
  let at = first
  for (; at < end; at++) {
    byte = view.getUint8(at)
    if (byte === DOT && dot === NOT && at > first) dot = at
    else if (byte < ZERO || byte > NINE) break
  }
  const hasLeadingZero = at > first + 1 && dot !== first + 1 && view.getUint8(first) === ZERO
  const isCut = at === first || dot === at - 1
  if (isCut || hasLeadingZero || at - start > MOST_DIGITS || byte === LOWER_E || byte === UPPER_E) return NOT
  return at
}

function afterWord(view: DataView, start: number, end: number, first: number): number {
  const word = WORDS.get(first)
  if (word === undefined || start + word.length > end) return NOT
  for (let index = 1; index < word.length; index++)
    if (view.getUint8(start + index) !== word.charCodeAt(index)) return NOT
  return start + word.length
}

function isAmong(view: DataView, from: number, to: number, start: number, end: number): boolean {
  for (let member = from; member < to; member++) {
    const earlier = starts[member] as number
    if ((ends[member] as number) - earlier === end - start && isSame(view, earlier, start, end)) return true
  }
  return false
}

function isSame(view: DataView, earlier: number, start: number, end: number): boolean {
  const distance = start - earlier
  for (let at = start; at < end; at++) if (view.getUint8(at) !== view.getUint8(at - distance)) return false
  return true
}
