/**
 * Recognises lines of streamed deltas by their bytes, exactly as the writers of formats 0 and 1 write them (format.md
 * §2.3, §4.1), without building what they say. A line that is taken is valid JSON that reads back to the same text;
 * any other spelling, though it may mean the same, is left to the JSON parser.
 *
 * This is where most bytes of a long log go through, so it is written for speed: four bytes at a time, offsets in local
 * variables, and numbers left in one place.
 */
import { isUtf8 } from 'node:buffer'
import type { DeltaSpan } from '../../core/replay/quiet-run.ts'

/** Lines that continue one another: rising seqs and times in one turn and step. */
export interface DeltaLines extends DeltaSpan {
  /** Offset behind the line feed of the last line. */
  readonly end: number
}

const ZERO = 0x30
const SPACE = 0x20
const ASCII = 0x7f
const BACKSLASH = 0x5c
const QUOTE = 0x22
/** Numbers with more digits may not be exact. */
const MOST_DIGITS = 15
/** Where nothing fits. */
const NOT = -1

/** A text to compare with, four bytes to a word; the last word may overlap the one before. */
interface Pattern {
  readonly length: number
  readonly words: Int32Array
  readonly lastWord: number
}

function pattern(text: string): Pattern {
  const bytes = Buffer.from(text)
  const { length } = bytes
  const words = Int32Array.from({ length: length >> 2 }, (_, index) => bytes.readInt32LE(index * 4))
  return { length, words, lastWord: bytes.readInt32LE(length - 4) }
}

const START = pattern('{"type":"assistant/chunk","seq":')
const TIME = pattern(',"time":')
const TURN = pattern(',"data":{"turn":')
const STEP = pattern(',"step":')
const CHUNK = pattern(',"chunk":{"type":"')
const TEXT_DELTA = pattern('text-delta","index":')
const REASONING_DELTA = pattern('reasoning-delta","index":')
const CALL_DELTA = pattern('tool-call-delta","index":')
const TEXT = pattern(',"text":"')
const ID = pattern(',"id":"')
const NAME = pattern(',"name":"')
const ARGUMENTS = pattern(',"argumentsDelta":"')
const END = pattern('}}}\n')

/** What may stand behind a backslash, for the writer spells nothing else that way but control characters. */
const ESCAPED = new Uint8Array(256)
for (const character of '"\\bfnrt') ESCAPED[character.charCodeAt(0)] = 1

export class DeltaScanner {
  readonly #maxLine: number
  #bytes: Buffer | undefined
  #view: DataView = new DataView(new ArrayBuffer(0))

  /** @param maxLine - longest line, in bytes. */
  constructor(maxLine: number) {
    this.#maxLine = maxLine
  }

  /** The lines from `offset` on, which must begin a line; absent when the first one is none of them. */
  scan(bytes: Buffer, offset: number): DeltaLines | undefined {
    hasLongCharacter = false
    const view = this.#viewOf(bytes)
    let end = offset
    let count = 0
    let first = 0
    let turn = 0
    let step = 0
    let firstTime = 0
    let lastTime = 0
    for (;;) {
      const next = lineEnd(view, end)
      if (next === NOT || next - end > this.#maxLine) break
      const seq = read[SEQ_AT] as number
      const time = read[TIME_AT] as number
      const readTurn = read[TURN_AT] as number
      const readStep = read[STEP_AT] as number
      if (count === 0) {
        first = seq
        turn = readTurn
        step = readStep
        firstTime = time
      } else if (seq !== first + count || readTurn !== turn || readStep !== step || time < lastTime) break
      lastTime = time
      count++
      end = next
    }
    if (count === 0) return undefined
    // Bytes that are no UTF-8 are read with replacement characters, which is not for this scanner.
    if (hasLongCharacter && !isUtf8(bytes.subarray(offset, end))) return undefined
    return { end, first, count, turn, step, firstTime, lastTime }
  }

  /** Runs of one chunk are asked for one after the other. */
  #viewOf(bytes: Buffer): DataView {
    if (this.#bytes !== bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    }
    return this.#view
  }
}

/** Numbers of the line that was read last; typed, because times would be boxed anywhere else. */
const read = new Float64Array(5)
const SEQ_AT = 0
const TIME_AT = 1
const TURN_AT = 2
const STEP_AT = 3
const INDEX_AT = 4
let hasLongCharacter = false

/** Offset behind the line feed of a line of a delta. */
function lineEnd(view: DataView, offset: number): number {
  let at = afterNumber(view, after(view, offset, START), SEQ_AT)
  at = afterNumber(view, after(view, at, TIME), TIME_AT)
  at = afterNumber(view, after(view, at, TURN), TURN_AT)
  at = afterNumber(view, after(view, at, STEP), STEP_AT)
  at = afterDelta(view, after(view, at, CHUNK))
  return after(view, at, END)
}

function afterDelta(view: DataView, at: number): number {
  if (at === NOT) return NOT
  let next = after(view, at, TEXT_DELTA)
  if (next === NOT) next = after(view, at, REASONING_DELTA)
  if (next !== NOT) return afterString(view, after(view, afterNumber(view, next, INDEX_AT), TEXT))
  next = afterString(view, after(view, afterNumber(view, after(view, at, CALL_DELTA), INDEX_AT), ID))
  const named = after(view, next, NAME)
  if (named !== NOT) next = afterString(view, named)
  return afterString(view, after(view, next, ARGUMENTS))
}

function after(view: DataView, at: number, { length, words, lastWord }: Pattern): number {
  const end = at + length
  if (at === NOT || end > view.byteLength) return NOT
  for (let index = 0; index < words.length; index++) {
    if (view.getInt32(at + index * 4, true) !== words[index]) return NOT
  }
  return view.getInt32(end - 4, true) === lastWord ? end : NOT
}

/** Behind a whole number as JSON writes it, which is left at `place`. */
function afterNumber(view: DataView, start: number, place: number): number {
  if (start === NOT) return NOT
  const length = view.byteLength
  let at = start
  let sum = 0
  for (; at < length; at++) {
    const digit = view.getUint8(at) - ZERO
    if (digit < 0 || digit > 9) break
    sum = sum * 10 + digit
  }
  const digits = at - start
  if (digits === 0 || digits > MOST_DIGITS || (digits > 1 && view.getUint8(start) === ZERO)) return NOT
  read[place] = sum
  return at
}

/** The sign bit of every byte of a word. */
const SIGNS = 0x80808080 | 0
const ONES = 0x01010101
const SPACES = 0x20202020
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c

/** Behind the closing quote of a string whose opening quote has been passed. */
function afterString(view: DataView, start: number): number {
  if (start === NOT) return NOT
  const length = view.byteLength
  const lastWord = length - 4
  let at = start
  while (at < length) {
    if (at <= lastWord) {
      // A sign bit is left for every byte that is a quote, a backslash or below a space (and perhaps for its neighbour).
      const word = view.getInt32(at, true)
      const quotes = word ^ QUOTES
      const backslashes = word ^ BACKSLASHES
      const special =
        ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | ((word - SPACES) & ~word)
      if ((special & SIGNS) === 0) {
        if ((word & SIGNS) !== 0) hasLongCharacter = true
        at += 4
        continue
      }
    }
    const byte = view.getUint8(at++)
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) {
      if (at === length || ESCAPED[view.getUint8(at++)] !== 1) return NOT
    } else if (byte < SPACE) return NOT
    else if (byte > ASCII) hasLongCharacter = true
  }
  return NOT
}
