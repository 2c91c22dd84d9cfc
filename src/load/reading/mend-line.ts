/**
 * What can be saved of a line that does not parse, as such lines are seen in the field: NUL bytes around a record, half
 * a record with the next one glued to it, two records without a line feed between them, and a record with a raw line
 * feed inside a string. Nothing is guessed: what is saved parses as it stands.
 */

import type { FindingCode } from '../../core/findings/rules.ts'
import { isCount, isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { parseRecord } from './parse-record.ts'

export interface MendedLine<Tag = never> {
  readonly code: Extract<FindingCode, 'bytes/nul-padding' | 'bytes/spliced-line' | 'bytes/split-line'>
  readonly rows: readonly JsonValue[]
  /** The rows as they stand in the line. */
  readonly lines: readonly Buffer[]
  /** Bytes that belong to none of the rows. */
  readonly lostBytes: number
  /** What was kept with the line before, which this one completes. */
  readonly completes?: Tag
}

/** Longest line that is kept to see whether the next one completes it. */
const LONGEST_HELD = 1024 * 1024

/**
 * Mends the broken lines of a log in their order. What is saved has to continue the log, be it with one row lost
 * before it. `Tag` is what the caller knows a broken line by.
 */
export class LineMender<Tag> {
  #half: { readonly bytes: Buffer; readonly tag: Tag } | undefined

  /** @param due - the seq that is due. */
  mend(bytes: Buffer, due: number): MendedLine<Tag> | undefined {
    const half = this.#half
    this.#half = undefined
    const joined = half === undefined ? undefined : joinLines(half.bytes, bytes)
    if (half !== undefined && joined !== undefined && followsOn(joined.value, due)) {
      const { value, line } = joined
      return { code: 'bytes/split-line', rows: [value], lines: [line], lostBytes: 0, completes: half.tag }
    }
    const mended = mendLine(bytes)
    return mended !== undefined && followsOn(mended.rows[0], due) ? mended : undefined
  }

  /** Keeps a line that nothing could be saved of. */
  hold(bytes: Buffer, tag: Tag): void {
    if (bytes.length <= LONGEST_HELD) this.#half = { bytes: Buffer.from(bytes), tag }
  }

  /** A line that can be read stands between what was kept and what comes. */
  pass(): void {
    this.#half = undefined
  }
}

function followsOn(row: JsonValue | undefined, due: number): boolean {
  const seq = isJsonObject(row) ? (row.seq0 ?? row.seq) : undefined
  return isCount(seq) && seq >= due && seq <= due + 1
}

const ROW_START = Buffer.from('{"type":"')
/** A line with more beginnings than this is no splice but something else. */
const MOST_STARTS = 16

export function mendLine(bytes: Buffer): MendedLine | undefined {
  const content = withoutNuls(bytes)
  if (content.length < bytes.length) {
    const value = valueIn(content)
    if (value !== undefined)
      return { code: 'bytes/nul-padding', rows: [value], lines: [content], lostBytes: 0 }
  }
  let at = content.indexOf(ROW_START, 1)
  for (let starts = 0; at !== -1 && starts < MOST_STARTS; starts++) {
    const pieces = [content.subarray(0, at), content.subarray(at)]
    const [head, tail] = pieces.map(valueIn)
    if (tail !== undefined) {
      const isWhole = head !== undefined
      return {
        code: 'bytes/spliced-line',
        rows: isWhole ? [head, tail] : [tail],
        lines: isWhole ? pieces : pieces.slice(1),
        lostBytes: isWhole ? 0 : at,
      }
    }
    at = content.indexOf(ROW_START, at + 1)
  }
  return undefined
}

/** The record that two lines make when the line feed between them was meant to stand inside a string. */
export function joinLines(first: Buffer, second: Buffer): JoinedLine | undefined {
  const line = Buffer.concat([first, Buffer.from('\\n'), second])
  const value = valueIn(line)
  return value === undefined ? undefined : { value, line }
}

export interface JoinedLine {
  readonly value: JsonValue
  /** The record with the line feed as an escape. */
  readonly line: Buffer
}

export function withoutNuls(bytes: Buffer): Buffer {
  let start = 0
  let end = bytes.length
  while (start < end && bytes[start] === 0) start++
  while (end > start && bytes[end - 1] === 0) end--
  return bytes.subarray(start, end)
}

function valueIn(bytes: Buffer): JsonValue | undefined {
  const parsed = parseRecord({ kind: 'bytes', bytes })
  return parsed.kind === 'value' && typeof parsed.value === 'object' && parsed.value !== null
    ? parsed.value
    : undefined
}
