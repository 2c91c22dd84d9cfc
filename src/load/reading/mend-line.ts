/**
 * What can be saved of a line that does not parse, as such lines are seen in the field: NUL bytes around a record, half
 * a record with the next one glued to it, two records without a line feed between them, and a record with a raw line
 * feed inside a string. Nothing is guessed: what is saved parses as it is.
 */
import type { FindingCode } from '../../core/findings/rules.ts'
import { isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { parseRecord } from './parse-record.ts'

export type MendingCode = Extract<
  FindingCode,
  'bytes/nul-padding' | 'bytes/spliced-line' | 'bytes/split-line'
>

/** A record as it is in a line, or in two. */
export interface SavedPiece {
  readonly value: JsonValue
  readonly line: Buffer
}

export interface MendedLine {
  readonly code: MendingCode
  readonly pieces: readonly SavedPiece[]
  /** Bytes before the first piece; all of them where more is lost. */
  readonly lostBytes: number
}

/** How DSH writes the beginning of a row. */
const NUMBERED_START = /^\{\s{0,8}"type"\s{0,8}:\s{0,8}"[^"\\]{1,80}"\s{0,8},\s{0,8}"seq0?"\s{0,8}:/
/** How a row begins, in whatever spacing and order of members. */
const ROW_START = /^\{\s{0,8}"type"\s{0,8}:\s{0,8}"/
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** A line with more beginnings than this is no splice but something else. */
const MOST_STARTS = 16

export function mendLine(bytes: Buffer): MendedLine | undefined {
  const content = withoutNuls(bytes)
  const bare = content.length < bytes.length ? pieceOf(content) : undefined
  if (bare !== undefined) return { code: 'bytes/nul-padding', pieces: [bare], lostBytes: 0 }
  const numbered = splicedAt(content, [...rowStarts(content, NUMBERED_START, 160)])
  if (numbered !== undefined) return numbered
  let starts = 0
  for (const at of rowStarts(content, ROW_START, 40)) {
    if (starts++ === MOST_STARTS) break
    const spliced = splicedAt(content, [at], true)
    if (spliced !== undefined) return spliced
  }
  const isRow = NUMBERED_START.test(content.toString('latin1', 0, 160))
  const piece = isRow ? pieceOf(withoutTail(content)) : undefined
  return piece && { code: 'bytes/spliced-line', pieces: [piece], lostBytes: content.length }
}

/** @param isWhole - the last piece has to be one. */
function splicedAt(content: Buffer, starts: readonly number[], isWhole = false): MendedLine | undefined {
  if (starts.length === 0) return undefined
  const lines = [0, ...starts].map((start, index) => content.subarray(start, starts[index]))
  const parts = lines.map((line) => pieceOf(line) ?? (isWhole ? undefined : pieceOf(withoutTail(line))))
  const pieces = parts.filter((piece) => piece !== undefined)
  if (pieces.length === 0 || (isWhole && parts.at(-1) === undefined)) return undefined
  const isFrontLost = parts[0] === undefined && pieces.length === parts.length - 1
  const lostBytes = isFrontLost ? (starts[0] as number) : pieces.length < parts.length ? content.length : 0
  return { code: 'bytes/spliced-line', pieces, lostBytes }
}

/** A record without what is glued to its end. */
function withoutTail(line: Buffer): Buffer {
  return line.subarray(0, line.lastIndexOf(CLOSING_BRACE) + 1)
}

function* rowStarts(bytes: Buffer, shape: RegExp, length: number): Generator<number> {
  for (let at = bytes.indexOf(OPENING_BRACE, 1); at !== -1; at = bytes.indexOf(OPENING_BRACE, at + 1))
    if (shape.test(bytes.toString('latin1', at, at + length))) yield at
}

/**
 * The record that two lines make when the line feed between them was meant to be inside a string, where its line has it
 * as an escape, or came between.
 */
export function joinLines(first: Buffer, second: Buffer): SavedPiece | undefined {
  const inString = pieceOf(Buffer.concat([first, Buffer.from('\\n'), second]))
  if (inString !== undefined && !hasBrokenName(inString.value)) return inString
  return pieceOf(Buffer.concat([first, second]))
}

/** Whether a line feed is in the name of a member or of the type. */
function hasBrokenName(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasBrokenName)
  if (!isJsonObject(value)) return false
  const names = typeof value.type === 'string' ? [...Object.keys(value), value.type] : Object.keys(value)
  return (
    names.some((name) => name.includes('\n')) ||
    Object.values(value as Record<string, JsonValue>).some(hasBrokenName)
  )
}

export function withoutNuls(bytes: Buffer): Buffer {
  let start = 0
  let end = bytes.length
  while (start < end && bytes[start] === 0) start++
  while (end > start && bytes[end - 1] === 0) end--
  return bytes.subarray(start, end)
}

function pieceOf(line: Buffer): SavedPiece | undefined {
  const parsed = parseRecord({ kind: 'bytes', bytes: line })
  const isCompound = parsed.kind === 'value' && typeof parsed.value === 'object' && parsed.value !== null
  return isCompound ? { value: parsed.value, line } : undefined
}
