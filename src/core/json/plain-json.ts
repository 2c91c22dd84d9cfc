/**
 * Proves by its bytes that a text is JSON that hides nothing from anyone who parses it (`json-anomalies.ts`): the answer for
 * almost every record, at a fraction of what the closer look costs. It takes what `JSON.stringify` spells, so a space
 * between two values, an escape that need not be one, an exponent or a long number is left to the closer look.
 */
import { after, afterString, NOT, type Pattern } from './json-bytes.ts'

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
/** How far the two are filled, by the walk that this one is part of. */
let depth = 0
let members = 0

/** A member of a member of the record, whose value is walked over by somebody who knows what is in there. */
export interface InnerMember {
  readonly of: Pattern
  readonly name: Pattern
  /** The place after the value when it is JSON that hides nothing and what its owner expects, {@link NOT} otherwise. */
  after(bytes: Uint8Array, view: DataView, at: number, end: number): number
}

/** Where the inner member that was walked over by its owner begins and ends. */
export const inner = { start: NOT, end: NOT }

/**
 * @param bytes - in valid UTF-8.
 * @returns true when it surely is JSON in which every member, number and string is what it seems; false says nothing.
 */
export function isPlainJson(bytes: Uint8Array, member?: InnerMember): boolean {
  depth = 0
  members = 0
  inner.start = NOT
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return afterPlainValue(bytes, view, 0, bytes.length, member) === bytes.length
}

/** The place after the plain value that begins here; {@link NOT} when it is not plain, or does not end before `end`. */
export function afterPlainValue(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  member?: InnerMember,
): number {
  const outermost = depth
  let at = start
  // One value, or the beginning of a list or object, in every turn.
  while (at < end) {
    let byte = bytes[at] as number
    let isEmpty = false
    if (byte === QUOTE) at = afterString(view, at + 1, end)
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (depth === DEEPEST) return NOT
      opened[++depth] = members
      isObject[depth] = byte === OPEN_OBJECT ? 1 : 0
      isEmpty = true
      at++
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) at = afterNumber(bytes, at, end)
    else at = afterWord(bytes, at, end, byte)
    if (at === NOT) return NOT
    // What ends here, up to where the next value begins.
    for (;;) {
      if (depth === outermost) return at
      if (at >= end) return NOT
      byte = bytes[at] as number
      const inObject = isObject[depth] === 1
      if (byte === (inObject ? CLOSE_OBJECT : CLOSE_LIST)) {
        members = opened[depth--] as number
        isEmpty = false
        at++
        continue
      }
      if (!isEmpty) {
        if (byte !== COMMA) return NOT
        at++
      }
      if (!inObject) break
      const name = at + 1
      if (at >= end || bytes[at] !== QUOTE || members === MOST_MEMBERS) return NOT
      at = afterString(view, name, end)
      if (at === NOT || at >= end || bytes[at] !== COLON) return NOT
      if (isAmong(bytes, opened[depth] as number, members, name, at)) return NOT
      starts[members] = name
      ends[members] = at
      members++
      at++
      if (member === undefined || depth !== 2 || !isNamed(view, member)) break
      const [level, named] = [depth, members]
      const next = member.after(bytes, view, at, end)
      depth = level
      members = named
      if (next === NOT) break
      inner.start = at
      inner.end = next
      at = next
      isEmpty = false
    }
  }
  return NOT
}

/** Whether the member that was named last is the inner one. */
function isNamed(view: DataView, { of, name }: InnerMember): boolean {
  const outer = (opened[2] as number) - 1
  if (outer < 0) return false
  return (
    after(view, starts[members - 1] as number, name) !== NOT &&
    after(view, starts[outer] as number, of) !== NOT
  )
}

/** The place after a number that begins here. */
function afterNumber(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start
  let dot = NOT
  let byte = 0
  let at = first
  for (; at < end; at++) {
    byte = bytes[at] as number
    if (byte === DOT && dot === NOT && at > first) dot = at
    else if (byte < ZERO || byte > NINE) break
  }
  const hasLeadingZero = at > first + 1 && dot !== first + 1 && bytes[first] === ZERO
  const isCut = at === first || dot === at - 1
  if (isCut || hasLeadingZero || at - start > MOST_DIGITS || byte === LOWER_E || byte === UPPER_E) return NOT
  return at
}

function afterWord(bytes: Uint8Array, start: number, end: number, first: number): number {
  const word = WORDS.get(first)
  if (word === undefined || start + word.length > end) return NOT
  for (let index = 1; index < word.length; index++)
    if (bytes[start + index] !== word.charCodeAt(index)) return NOT
  return start + word.length
}

function isAmong(bytes: Uint8Array, from: number, to: number, start: number, end: number): boolean {
  for (let member = from; member < to; member++) {
    const earlier = starts[member] as number
    if ((ends[member] as number) - earlier === end - start && isSame(bytes, earlier, start, end)) return true
  }
  return false
}

function isSame(bytes: Uint8Array, earlier: number, start: number, end: number): boolean {
  const distance = start - earlier
  for (let at = start; at < end; at++) if (bytes[at] !== bytes[at - distance]) return false
  return true
}
