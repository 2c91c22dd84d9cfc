/**
 * Parses JSON that hides nothing from anyone who parses it (`json-anomalies.ts`): one walk over the bytes proves that and
 * builds what they say, and takes no longer than `JSON.parse` alone. It takes what `JSON.stringify` spells, so a space
 * between two values, an escape that need not be one, an exponent or a long number is left to the closer look, and so is
 * a member that every object inherits.
 */
import { after, afterString, NOT, seen, type TextBytes } from './json-bytes.ts'
import type { JsonValue } from './json-value.ts'
import { MemberName } from './member-names.ts'
import { shortText } from './short-texts.ts'

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
const WORDS = new Map(
  [true, false, null].map((value) => [String(value).charCodeAt(0), { word: String(value), value }]),
)

/** Numbers with fewer characters, and without an exponent, are read as they are written. */
const MOST_DIGITS = 15
const DEEPEST = 64

/** A member of a member of the text, whose value somebody walks over who knows what is in there. */
export interface InnerMember {
  readonly of: string
  readonly name: string
  /** Stands for the value that was walked over last. */
  readonly value: JsonValue
  /** The place after the value when it is plain and what its owner expects; {@link NOT} otherwise. */
  after(bytes: TextBytes, view: DataView, at: number, end: number): number
}

/** By depth: the open object, nothing for an open list, and the name of the member that is being read. */
const objects: (Record<string, JsonValue> | undefined)[] = []
const names: string[] = []
/** By depth: the same name in its place, and in a list the place of the list; nothing where no more are kept. */
const places: (MemberName | undefined)[] = []
/** Where the values are that have no name. */
const OUTERMOST = new MemberName()
const INNERMOST = new MemberName()
/** The items of all open lists, and by depth where those of the list begin. */
const items: JsonValue[] = []
const firstItems = new Int32Array(DEEPEST + 1)
/** What was read last. */
let read: JsonValue = null

/**
 * @param bytes - with the text from `start` up to `end`. Whether it is UTF-8 is for the caller to see, where
 * {@link seen} says that it is more than ASCII.
 * @param view - of the same bytes.
 * @returns what the text says when it surely is JSON in which every member, number and string is what it seems;
 * `undefined` says nothing.
 */
export function parsePlainJson(
  bytes: TextBytes,
  view: DataView,
  start: number,
  end: number,
  inner?: InnerMember,
): JsonValue | undefined {
  items.length = 0
  seen.longCharacter = false
  places[0] = OUTERMOST
  return afterPlain(bytes, view, start, end, 0, inner) === end ? read : undefined
}

/**
 * The place after the plain value that begins here, inside an inner member; {@link NOT} when it is not plain or does not
 * end before `end`. Its value is the {@link innerValue}.
 */
export function afterPlainValue(bytes: TextBytes, view: DataView, start: number, end: number): number {
  // An inner member is two levels deep.
  places[3] = INNERMOST
  return afterPlain(bytes, view, start, end, 3)
}

export function innerValue(): JsonValue {
  return read
}

function afterPlain(
  bytes: TextBytes,
  view: DataView,
  start: number,
  end: number,
  outermost: number,
  inner?: InnerMember,
): number {
  let depth = outermost
  let at = start
  // One value, or the beginning of a list or object, in every turn.
  while (at < end) {
    let byte = bytes[at] as number
    let isOpening = false
    if (byte === QUOTE) at = afterText(bytes, view, at, end)
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (depth === DEEPEST) return NOT
      const place = places[depth]
      objects[++depth] = byte === OPEN_OBJECT ? {} : undefined
      places[depth] = byte === OPEN_OBJECT ? place?.inside() : place
      firstItems[depth] = items.length
      isOpening = true
      at++
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) at = afterNumber(bytes, at, end)
    else at = afterWord(bytes, at, end, byte)
    if (at === NOT) return NOT
    // What ends here, up to where the next value begins.
    for (;;) {
      const object = objects[depth]
      if (!isOpening) {
        if (depth === outermost) return at
        if (object === undefined) items.push(read)
        else object[names[depth] as string] = read
      }
      if (at >= end) return NOT
      byte = bytes[at] as number
      if (byte === (object === undefined ? CLOSE_LIST : CLOSE_OBJECT)) {
        read = object ?? closedList(firstItems[depth] as number)
        depth--
        isOpening = false
        at++
        continue
      }
      if (!isOpening) {
        if (byte !== COMMA) return NOT
        at++
      }
      if (object === undefined) break
      const before = places[depth]
      const usual = before?.next
      const next = usual === undefined ? NOT : after(view, at, usual.spelling)
      let name: string
      if (usual !== undefined && next !== NOT && next < end) {
        at = next
        name = usual.name
        places[depth] = usual
      } else {
        if (at >= end || bytes[at] !== QUOTE) return NOT
        at = afterText(bytes, view, at, end)
        if (at === NOT || at >= end || bytes[at++] !== COLON) return NOT
        name = read as string
        const known = before?.known(name)
        if (known === undefined && object[name] !== undefined) return NOT
        places[depth] = known ?? before?.add(name)
      }
      names[depth] = name
      if (inner === undefined || depth !== 2 || name !== inner.name || names[1] !== inner.of) break
      const ended = inner.after(bytes, view, at, end)
      items.length = firstItems[depth] as number
      if (ended === NOT) break
      read = inner.value
      isOpening = false
      at = ended
    }
  }
  return NOT
}

function closedList(first: number): JsonValue {
  if (first === items.length) return []
  const list = items.slice(first)
  items.length = first
  return list
}

function afterText(bytes: TextBytes, view: DataView, quote: number, end: number): number {
  const wasLong = seen.longCharacter
  seen.longCharacter = false
  seen.escape = false
  const start = quote + 1
  const at = afterString(view, start, end)
  const isLong = seen.longCharacter
  seen.longCharacter ||= wasLong
  if (at === NOT) return NOT
  if (seen.escape) read = JSON.parse(bytes.toString('utf8', quote, at))
  else if (isLong) read = bytes.toString('utf8', start, at - 1)
  else read = shortText(bytes, start, at - 1) ?? bytes.toString('latin1', start, at - 1)
  return at
}

function afterNumber(bytes: TextBytes, start: number, end: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start
  let dot = NOT
  let byte = 0
  let number = 0
  let at = first
  for (; at < end; at++) {
    byte = bytes[at] as number
    if (byte >= ZERO && byte <= NINE) number = number * 10 + byte - ZERO
    else if (byte === DOT && dot === NOT && at > first) dot = at
    else break
  }
  const hasLeadingZero = at > first + 1 && dot !== first + 1 && bytes[first] === ZERO
  const isCut = at === first || dot === at - 1
  if (isCut || hasLeadingZero || at - start > MOST_DIGITS || byte === LOWER_E || byte === UPPER_E) return NOT
  read = dot === NOT && first === start ? number : Number(bytes.toString('latin1', start, at))
  return at
}

function afterWord(bytes: TextBytes, start: number, end: number, first: number): number {
  const { word, value } = WORDS.get(first) ?? {}
  if (word === undefined || value === undefined || start + word.length > end) return NOT
  for (let index = 1; index < word.length; index++)
    if (bytes[start + index] !== word.charCodeAt(index)) return NOT
  read = value
  return start + word.length
}
