/**
 * Tells by its bytes that a JSON text hides nothing from whoever parses it (`json-anomalies.ts`): the answer for almost
 * every record, at a fraction of what the closer look costs.
 */
import { afterString, NOT } from './json-bytes.ts'

const SPACE = 0x20
const QUOTE = 0x22
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

/** Numbers with fewer characters, and without an exponent, are read as they are written. */
const MOST_DIGITS = 15
const DEEPEST = 64
/** More members than any record of DSH has open at once; each is compared with those of its own object. */
const MOST_MEMBERS = 256

/** Members of the open objects, by where their names begin and end. */
const starts = new Int32Array(MOST_MEMBERS)
const ends = new Int32Array(MOST_MEMBERS)
/** For every open object or list the number of members when it was opened. */
const opened = new Int32Array(DEEPEST + 1)

/**
 * @param bytes - valid JSON in valid UTF-8.
 * @returns true when every member, number and string surely is what it seems; false says nothing.
 */
export function isPlainJson(bytes: Uint8Array): boolean {
  const length = bytes.length
  const view = new DataView(bytes.buffer, bytes.byteOffset, length)
  let depth = 0
  let members = 0
  let at = 0
  while (at < length) {
    const byte = view.getUint8(at)
    if (byte === QUOTE) {
      const start = at + 1
      at = afterString(view, start)
      if (at === NOT) return false
      if (at === length || view.getUint8(at) !== COLON) continue
      if (members === MOST_MEMBERS || isAmong(view, opened[depth] as number, members, start, at)) return false
      starts[members] = start
      ends[members] = at
      members++
      at++
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      const start = at
      at = afterDigits(view, start + 1)
      if (at === NOT || at - start > MOST_DIGITS) return false
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (depth === DEEPEST) return false
      opened[++depth] = members
      at++
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      members = opened[depth--] as number
      at++
    } else if (byte > SPACE) at++
    // Before a space, a name would not be known by its colon.
    else return false
  }
  return true
}

function afterDigits(view: DataView, start: number): number {
  let at = start
  for (; at < view.byteLength; at++) {
    const byte = view.getUint8(at)
    if (byte === DOT || (byte >= ZERO && byte <= NINE)) continue
    return byte === LOWER_E || byte === UPPER_E ? NOT : at
  }
  return at
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
