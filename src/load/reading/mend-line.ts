/**
 * What can be saved of a line that is no record, as such lines are seen in the field: NUL bytes, commas, brackets or marks
 * around a record, a record inside a string, half a record with the next one glued to it, and several records without a
 * line feed between them. Nothing is guessed: what is saved parses as it is. Records over several lines are those of
 * `split-record.ts`.
 */
import type { FindingCode } from '../../core/findings/rules.ts'
import { isCount, isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { RecordLines } from '../../storage/jsonl/record-lines.ts'
import { parseRecord } from './parse-record.ts'

export type MendingCode = Extract<
  FindingCode,
  'bytes/nul-padding' | 'bytes/spliced-line' | 'bytes/split-line' | 'bytes/layout'
>

/** How a record is written that is not a line of its own. */
export type RecordLayout = 'record-marks' | 'record-in-string' | 'record-over-lines'

/** A record as it is in a line, or in several. */
export interface SavedPiece {
  readonly value: JsonValue
  readonly line: Buffer
}

export interface MendedLine {
  readonly code: MendingCode
  /** Of `bytes/layout`. */
  readonly layout?: RecordLayout
  readonly pieces: readonly SavedPiece[]
  /** Bytes before the first piece; all of them where more is lost. */
  readonly lostBytes: number
  /** Bytes that are in no piece and do not only separate them. */
  readonly unreadBytes: number
}

/** How DSH writes the beginning of a row. */
const NUMBERED_START = /^\{\s{0,8}"type"\s{0,8}:\s{0,8}"[^"\\]{1,80}"\s{0,8},\s{0,8}"seq0?"\s{0,8}:/
/** How a row begins, in whatever spacing and order of members. */
const ROW_START = /^\{\s{0,8}"type"\s{0,8}:\s{0,8}"/
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** A line with more beginnings than this is no splice but something else. */
const MOST_STARTS = 16
const NOTHING_LOST = { lostBytes: 0, unreadBytes: 0 } as const

export function mendLine(bytes: Buffer): MendedLine | undefined {
  const content = withoutNuls(bytes)
  const bare = content.length < bytes.length ? pieceOf(content) : undefined
  if (bare !== undefined) return { code: 'bytes/nul-padding', pieces: [bare], ...NOTHING_LOST }
  const whole = rowsIn(content)
  if (whole !== undefined)
    return whole.length === 1
      ? { code: 'bytes/layout', layout: 'record-marks', pieces: whole, ...NOTHING_LOST }
      : { code: 'bytes/spliced-line', pieces: whole, ...NOTHING_LOST }
  const numbered = splicedAt(content, [...rowStarts(content, NUMBERED_START, 160)])
  if (numbered !== undefined) return numbered
  let starts = 0
  for (const at of rowStarts(content, ROW_START, 40)) {
    if (starts++ === MOST_STARTS) break
    const spliced = splicedAt(content, [at], true)
    if (spliced !== undefined) return spliced
  }
  return beginsRow(content) ? splicedAt(content, []) : undefined
}

/** The rows in a line that is JSON, but no object: a list of them, or a text, as often as a tool has wrapped it. */
export function mendValue(value: JsonValue, bytes: Buffer): MendedLine | undefined {
  if (Array.isArray(value)) return isListOfRows(value) ? mendLine(bytes) : undefined
  let text = value
  for (let round = 0; round < MOST_WRAPPINGS && typeof text === 'string'; round++) {
    const pieces = rowsIn(Buffer.from(text))
    if (pieces !== undefined)
      return { code: 'bytes/layout', layout: 'record-in-string', pieces, ...NOTHING_LOST }
    text = stringIn(text)
  }
  return undefined
}

const MOST_WRAPPINGS = 4

function isListOfRows(list: readonly JsonValue[]): boolean {
  return list.flat(MOST_WRAPPINGS).every(isNumberedRow)
}

function stringIn(text: string): JsonValue {
  const parsed = parseRecord({ kind: 'bytes', bytes: Buffer.from(text) })
  return parsed.kind === 'value' ? parsed.value : null
}

/** Whether a line begins as DSH writes rows, and so does not continue the line before. */
export function beginsRow(line: Buffer): boolean {
  return NUMBERED_START.test(line.toString('latin1', 0, 160))
}

/** Whether a value is a row of a log and not a part of one. */
export function isNumberedRow(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value.type === 'string' && (isCount(value.seq) || isCount(value.seq0))
}

/** The rows that a text is, when there is nothing else in it than what separates them. */
function rowsIn(text: Buffer): readonly SavedPiece[] | undefined {
  const content = withoutMarks(text)
  if (content[0] !== OPENING_BRACE) return undefined
  const lines = new RecordLines()
  const made = lines.push(content, true)
  return lines.isBetween ? piecesOf(made) : undefined
}

/** The rows of lines, each with a line feed; nothing when one of them is no row. */
export function piecesOf(lines: Buffer): readonly SavedPiece[] | undefined {
  const pieces: SavedPiece[] = []
  let start = 0
  for (let end = lines.indexOf(LF); end !== -1; end = lines.indexOf(LF, start)) {
    const piece = pieceOf(lines.subarray(start, end))
    if (piece === undefined || !isNumberedRow(piece.value)) return undefined
    pieces.push(piece)
    start = end + 1
  }
  return pieces.length === 0 ? undefined : pieces
}

const LF = 0x0a

/** @param isWhole - the last piece has to be one. */
function splicedAt(content: Buffer, starts: readonly number[], isWhole = false): MendedLine | undefined {
  if (starts.length === 0 && isWhole) return undefined
  const lines = [0, ...starts].map((start, index) => content.subarray(start, starts[index]))
  const parts = lines.map((line) => pieceOf(line) ?? (isWhole ? undefined : pieceOf(withoutTail(line))))
  const pieces = parts.filter((piece) => piece !== undefined)
  if (pieces.length === 0 || (isWhole && parts.at(-1) === undefined)) return undefined
  const rests = lines
    .map((line, index) => line.subarray(parts[index]?.line.length ?? 0))
    .filter((rest) => withoutMarks(rest).length > 0)
  const unreadBytes = rests.reduce((sum, rest) => sum + rest.length, 0)
  if (unreadBytes === 0 && pieces.length === 1)
    return { code: 'bytes/layout', layout: 'record-marks', pieces, ...NOTHING_LOST }
  const isFrontLost = rests.length === 1 && parts[0] === undefined
  const lostBytes = unreadBytes === 0 ? 0 : isFrontLost ? (starts[0] as number) : content.length
  return { code: 'bytes/spliced-line', pieces, lostBytes, unreadBytes }
}

/** A record without what is glued to its end. */
function withoutTail(line: Buffer): Buffer {
  return line.subarray(0, line.lastIndexOf(CLOSING_BRACE) + 1)
}

function* rowStarts(bytes: Buffer, shape: RegExp, length: number): Generator<number> {
  for (let at = bytes.indexOf(OPENING_BRACE, 1); at !== -1; at = bytes.indexOf(OPENING_BRACE, at + 1))
    if (shape.test(bytes.toString('latin1', at, at + length))) yield at
}

export function withoutNuls(bytes: Buffer): Buffer {
  return trimmed(bytes, (byte) => (byte === 0 ? 1 : 0))
}

/** Without what may separate records: blanks, control characters, commas, semicolons, brackets and byte order marks. */
export function withoutMarks(bytes: Buffer): Buffer {
  return trimmed(bytes, markAt)
}

function trimmed(bytes: Buffer, length: (byte: number, next: number, last: number) => number): Buffer {
  const at = (index: number): number => bytes[index] ?? -1
  let start = 0
  let end = bytes.length
  while (start < end) {
    const skipped = length(at(start), at(start + 1), at(start + 2))
    if (skipped === 0) break
    start += skipped
  }
  while (end > start) {
    const size = [1, 2, 3].find(
      (size) => length(at(end - size), at(end - size + 1), at(end - size + 2)) === size,
    )
    if (size === undefined) break
    end -= size
  }
  return bytes.subarray(Math.min(start, bytes.length), Math.max(start, end))
}

const MARKS: ReadonlySet<number> = new Set(Buffer.from(',;[]\x7f'))

/** Length of the mark that begins with these bytes; 0 where none does. */
function markAt(byte: number, next: number, last: number): number {
  if ((byte >= 0 && byte <= 0x20) || MARKS.has(byte)) return 1
  if (byte === 0xc2 && next === 0xa0) return 2
  return byte === 0xef && next === 0xbb && last === 0xbf ? 3 : 0
}

export function pieceOf(line: Buffer): SavedPiece | undefined {
  const parsed = parseRecord({ kind: 'bytes', bytes: line })
  const isCompound = parsed.kind === 'value' && typeof parsed.value === 'object' && parsed.value !== null
  return isCompound ? { value: parsed.value, line } : undefined
}
