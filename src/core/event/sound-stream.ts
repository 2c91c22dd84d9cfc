/**
 * The embedded stream of an answer, recognised by its bytes as DSH writes it (format.md §4.1 AssistantStreamRecord): half
 * of a log of formats 2 to 4, and it only repeats the message. What is taken is JSON that hides nothing and that the
 * readers of the format accept; any other spelling, though it may mean the same, is left to the JSON parser. Readers of
 * format 2 compare the stream with the message, so of that only the runs are left out that the end of their block repeats.
 */
import {
  after,
  afterNumber,
  afterNumberList,
  afterString,
  afterStrings,
  NOT,
  numbers,
  pattern,
  type TextBytes,
} from '../json/json-bytes.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { afterPlainValue, type InnerMember, innerValue } from '../json/plain-json.ts'
import { endedBlock } from './embedded-stream.ts'

/** Stands for a stream that was recognised and is not read. */
export const SOUND_STREAM: readonly JsonValue[] = Object.freeze([])

const RECORD = pattern('{"type":"')
const TEXTS_TIME = pattern('text-chunks","time0":')
const REASONING_TIME = pattern('reasoning-chunks","time0":')
const CALLS_TIME = pattern('tool-call-chunks","time0":')
const INDEX = pattern(',"index":')
const GAPS = pattern(',"dt":[')
const TEXTS = pattern(',"texts":[')
const ID = pattern(',"id":"')
const NAME = pattern(',"name":"')
const PIECES = pattern(',"args":[')
const CHUNK_TIME = pattern('chunk","time":')
const CHUNK = pattern(',"chunk":{"type":"')
const BLOCK = pattern('block-')
const START = pattern('start","index":')
const BLOCK_TYPE = pattern(',"blockType":"')
const STARTED = ['text"}}', 'reasoning"}}', 'tool-call"}}'].map(pattern)
const END = pattern('end","index":')
const TEXT_BLOCK = pattern(',"block":{"type":"text","text":"')
const REASONING_BLOCK = pattern(',"block":{"type":"reasoning","text":"')
const CALL_BLOCK = pattern(',"block":{"type":"tool-call","id":"')
const ARGUMENTS = pattern(',"arguments":"')
const BLOCK_ENDED = pattern('"}}}')

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const CLOSE_OBJECT = 0x7d

/** `data.stream` of an answer of formats 3 and 4. */
const UNREAD_STREAM: InnerMember = {
  of: 'data',
  name: 'stream',
  value: SOUND_STREAM,
  after: (bytes, view, start, end) => afterList(bytes, view, start, end, afterRecord),
}

/** What stands for a run that the end of its block repeats; it is one of its block and says nothing. */
function emptyRun(index: number): JsonObject {
  return { type: 'text-chunks', time0: 0, index, dt: [], texts: [''] }
}

/** `data.stream` of an answer of format 2, with empty runs in the place of those that do not count. */
class ComparedStream implements InnerMember {
  readonly of = 'data'
  readonly name = 'stream'
  value: readonly JsonValue[] = []

  after(bytes: TextBytes, view: DataView, start: number, end: number): number {
    const records: JsonValue[] = []
    const runs: { readonly record: number; readonly index: number; readonly from: number; to: number }[] = []
    const ended = new Set<number>()
    const next = afterList(bytes, view, start, end, (_, __, from) => {
      const to = afterRun(bytes, view, after(view, from, RECORD))
      if (to !== NOT && isWholeRun()) {
        const index = numbers[INDEX_AT] as number
        runs.push({ record: records.length, index, from, to })
        records.push(emptyRun(index))
        return to
      }
      const place = afterPlainValue(bytes, view, from, end)
      if (place === NOT) return NOT
      const record = innerValue()
      const index = endedBlock(record)
      if (index !== undefined) ended.add(index)
      records.push(record)
      return place
    })
    for (const { record, index, from, to } of runs)
      if (!ended.has(index)) records[record] = JSON.parse(bytes.toString('utf8', from, to))
    this.value = records
    return next
  }
}

const COMPARED_STREAM = new ComparedStream()

/** The stream of an answer, as the readers of a format look at it; absent where answers have none. */
export function streamMember(version: number): InnerMember | undefined {
  if (version < 2) return undefined
  return version === 2 ? COMPARED_STREAM : UNREAD_STREAM
}

type AfterRecord = (bytes: TextBytes, view: DataView, start: number, end: number) => number

function afterList(
  bytes: TextBytes,
  view: DataView,
  start: number,
  end: number,
  afterOne: AfterRecord,
): number {
  if (bytes[start] !== OPEN_LIST) return NOT
  let at = start + 1
  if (bytes[at] === CLOSE_LIST) return at + 1
  for (;;) {
    at = afterOne(bytes, view, at, end)
    if (at === NOT || at >= end) return NOT
    const byte = bytes[at++]
    if (byte === CLOSE_LIST) return at
    if (byte !== COMMA) return NOT
  }
}

function afterRecord(bytes: TextBytes, view: DataView, start: number, end: number): number {
  const type = after(view, start, RECORD)
  const time = after(view, type, CHUNK_TIME)
  if (time === NOT) return afterRun(bytes, view, type)
  const chunk = after(view, afterNumber(view, time, 0), CHUNK)
  if (chunk === NOT) return NOT
  const block = after(view, chunk, BLOCK)
  // Readers look into no other chunk.
  return block === NOT ? afterPlainValue(bytes, view, start, end) : afterBlock(bytes, view, block)
}

/** Where what is said of the last run is left in {@link numbers}. */
const TEXTS_AT = 0
const GAP_COUNT_AT = 1
const GAPS_AT = 2
const TIME_AT = 3
const INDEX_AT = 4

/** Whether the last run has a time for each of its texts. */
function isWholeRun(): boolean {
  const lastTime = (numbers[TIME_AT] as number) + (numbers[GAPS_AT] as number)
  return numbers[GAP_COUNT_AT] === (numbers[TEXTS_AT] as number) - 1 && lastTime <= Number.MAX_SAFE_INTEGER
}

/** A run of deltas. */
function afterRun(bytes: TextBytes, view: DataView, type: number): number {
  const calls = after(view, type, CALLS_TIME)
  let at = calls
  if (at === NOT) at = after(view, type, TEXTS_TIME)
  if (at === NOT) at = after(view, type, REASONING_TIME)
  at = afterNumber(view, after(view, afterNumber(view, at, TIME_AT), INDEX), INDEX_AT)
  at = afterNumberList(view, after(view, at, GAPS), GAPS_AT, GAP_COUNT_AT)
  if (calls !== NOT) {
    at = afterString(view, after(view, at, ID))
    const name = after(view, at, NAME)
    if (name !== NOT) at = afterString(view, name)
  }
  at = afterStrings(view, after(view, at, calls === NOT ? TEXTS : PIECES), TEXTS_AT)
  return at !== NOT && bytes[at] === CLOSE_LIST && bytes[at + 1] === CLOSE_OBJECT ? at + 2 : NOT
}

/** The start or the end of a block, of the types that every reader takes. */
function afterBlock(bytes: TextBytes, view: DataView, at: number): number {
  const type = after(view, afterNumber(view, after(view, at, START), 0), BLOCK_TYPE)
  if (type !== NOT) {
    for (const started of STARTED) {
      const ended = after(view, type, started)
      if (ended !== NOT) return ended
    }
    return NOT
  }
  const block = afterNumber(view, after(view, at, END), 0)
  let text = after(view, block, TEXT_BLOCK)
  if (text === NOT) text = after(view, block, REASONING_BLOCK)
  if (text === NOT) {
    const id = after(view, block, CALL_BLOCK)
    const name = after(view, afterString(view, id), NAME)
    // Neither may be empty.
    if (name === NOT || bytes[id] === QUOTE || bytes[name] === QUOTE) return NOT
    text = after(view, afterString(view, name), ARGUMENTS)
  }
  const ended = afterString(view, text)
  return ended === NOT ? NOT : after(view, ended - 1, BLOCK_ENDED)
}
