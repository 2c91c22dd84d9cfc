/**
 * What can be saved of a line that does not parse, as such lines are seen in the field: NUL bytes around a record, half
 * a record with the next one glued to it, two records without a line feed between them, and a record with a raw line
 * feed inside a string. Nothing is guessed: what is saved parses as it is.
 */
import type { FindingCode } from '../../core/findings/rules.ts'
import type { JsonValue } from '../../core/json/json-value.ts'
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
  /** Bytes before the first piece. */
  readonly lostBytes: number
}

/** How a row begins, in whatever spacing. */
const ROW_START = /^\{\s{0,8}"type"\s{0,8}:\s{0,8}"/
const OPENING_BRACE = 0x7b
/** A line with more beginnings than this is no splice but something else. */
const MOST_STARTS = 16

export function mendLine(bytes: Buffer): MendedLine | undefined {
  const content = withoutNuls(bytes)
  const bare = content.length < bytes.length ? pieceOf(content) : undefined
  if (bare !== undefined) return { code: 'bytes/nul-padding', pieces: [bare], lostBytes: 0 }
  let at = rowStart(content, 1)
  for (let starts = 0; at !== -1 && starts < MOST_STARTS; starts++) {
    const head = pieceOf(content.subarray(0, at))
    const tail = pieceOf(content.subarray(at))
    if (tail !== undefined) {
      const pieces = head === undefined ? [tail] : [head, tail]
      return { code: 'bytes/spliced-line', pieces, lostBytes: head === undefined ? at : 0 }
    }
    at = rowStart(content, at + 1)
  }
  return undefined
}

function rowStart(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(OPENING_BRACE, from)
  while (at !== -1 && !ROW_START.test(bytes.toString('latin1', at, at + 40)))
    at = bytes.indexOf(OPENING_BRACE, at + 1)
  return at
}

/**
 * The record that two lines make when the line feed between them was meant to be inside a string; its line has the
 * line feed as an escape.
 */
export function joinLines(first: Buffer, second: Buffer): SavedPiece | undefined {
  return pieceOf(Buffer.concat([first, Buffer.from('\\n'), second]))
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
