/**
 * Recognises lines of streamed deltas by their bytes, exactly as the writers of formats 0 and 1 write them, single or
 * packed (format.md §2.3, §2.4, §4.1). A line that is taken is valid JSON that reads back to the same text; any other
 * spelling, though it may mean the same, is left to the JSON parser.
 */
import { isUtf8 } from 'node:buffer'
import {
  after,
  afterNumber,
  afterNumberList,
  afterString,
  afterStrings,
  NOT,
  numbers,
  pattern,
  seen,
} from '../../core/json/json-bytes.ts'
import type { DeltaSpan } from '../../core/replay/delta-run.ts'

/** Lines that continue one another: rising seqs and times in one turn and step. */
export interface DeltaLines extends DeltaSpan {
  readonly lines: number
  /** Offset after the line feed of the last line. */
  readonly end: number
}

const START = pattern('{"type":"')
const CHUNK_SEQ = pattern('assistant/chunk","seq":')
const TEXTS_SEQ = pattern('text-chunks","seq0":')
const REASONING_SEQ = pattern('reasoning-chunks","seq0":')
const CALLS_SEQ = pattern('tool-call-chunks","seq0":')
const TIME = pattern(',"time":')
const TIME0 = pattern(',"time0":')
const TURN = pattern(',"data":{"turn":')
const STEP = pattern(',"step":')
const INDEX = pattern(',"index":')
const CHUNK = pattern(',"chunk":{"type":"')
const TEXT_DELTA = pattern('text-delta","index":')
const REASONING_DELTA = pattern('reasoning-delta","index":')
const CALL_DELTA = pattern('tool-call-delta","index":')
const TEXT = pattern(',"text":"')
const ID = pattern(',"id":"')
const NAME = pattern(',"name":"')
const ARGUMENTS = pattern(',"argumentsDelta":"')
const GAPS = pattern(',"dt":[')
const TEXTS = pattern(',"texts":[')
const ARGUMENT_LISTS = pattern(',"args":[')
const END = pattern('}}}\n')
const LIST_END = pattern(']}}\n')

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
    seen.longCharacter = false
    const view = this.#viewOf(bytes)
    let end = offset
    let lines = 0
    let count = 0
    let first = 0
    let turn = 0
    let step = 0
    let firstTime = 0
    let lastTime = 0
    for (;;) {
      const next = lineEnd(view, end)
      if (next === NOT || next - end > this.#maxLine) break
      const seq = numbers[SEQ_AT] as number
      const time = numbers[TIME_AT] as number
      const readTurn = numbers[TURN_AT] as number
      const readStep = numbers[STEP_AT] as number
      if (lines === 0) {
        first = seq
        turn = readTurn
        step = readStep
        firstTime = time
      } else if (seq !== first + count || readTurn !== turn || readStep !== step || time < lastTime) break
      lastTime = time + (numbers[GAPS_AT] as number)
      count += numbers[COUNT_AT] as number
      lines++
      end = next
    }
    if (lines === 0) return undefined
    // Bytes that are no UTF-8 are read with replacement characters, which is not for this scanner.
    if (seen.longCharacter && !isUtf8(bytes.subarray(offset, end))) return undefined
    return { end, lines, first, count, turn, step, firstTime, lastTime }
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

/** What the line that was read last says: its first seq and time, the members it has, and the time from first to last. */
const SEQ_AT = 0
const TIME_AT = 1
const TURN_AT = 2
const STEP_AT = 3
const INDEX_AT = 4
const GAPS_AT = 5
const COUNT_AT = 6
const GAP_COUNT_AT = 7

/** Offset after the line feed of a line of deltas. */
function lineEnd(view: DataView, offset: number): number {
  const start = after(view, offset, START)
  const chunk = after(view, start, CHUNK_SEQ)
  return chunk === NOT ? packedLineEnd(view, start) : chunkLineEnd(view, chunk)
}

function chunkLineEnd(view: DataView, start: number): number {
  numbers[GAPS_AT] = 0
  numbers[COUNT_AT] = 1
  let at = afterNumber(view, start, SEQ_AT)
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
  next = afterCall(view, afterNumber(view, after(view, at, CALL_DELTA), INDEX_AT))
  return afterString(view, after(view, next, ARGUMENTS))
}

/** After the id of a call, and its name where it has one. */
function afterCall(view: DataView, at: number): number {
  const next = afterString(view, after(view, at, ID))
  const named = after(view, next, NAME)
  return named === NOT ? next : afterString(view, named)
}

function packedLineEnd(view: DataView, start: number): number {
  if (start === NOT) return NOT
  const calls = after(view, start, CALLS_SEQ)
  let at = calls
  if (at === NOT) at = after(view, start, TEXTS_SEQ)
  if (at === NOT) at = after(view, start, REASONING_SEQ)
  at = afterNumber(view, at, SEQ_AT)
  at = afterNumber(view, after(view, at, TIME0), TIME_AT)
  at = afterNumber(view, after(view, at, TURN), TURN_AT)
  at = afterNumber(view, after(view, at, STEP), STEP_AT)
  at = afterNumber(view, after(view, at, INDEX), INDEX_AT)
  if (calls !== NOT) at = afterCall(view, at)
  at = afterNumberList(view, after(view, at, GAPS), GAPS_AT, GAP_COUNT_AT)
  at = afterStrings(view, after(view, at, calls === NOT ? TEXTS : ARGUMENT_LISTS), COUNT_AT)
  at = after(view, at, LIST_END)
  const fits = numbers[COUNT_AT] === (numbers[GAP_COUNT_AT] as number) + 1
  const lastTime = (numbers[TIME_AT] as number) + (numbers[GAPS_AT] as number)
  return fits && lastTime <= Number.MAX_SAFE_INTEGER ? at : NOT
}
