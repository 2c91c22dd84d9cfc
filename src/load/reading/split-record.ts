/**
 * A record that goes on over several lines, while its end has not come: written by a formatter or a tool that put a line
 * feed between its tokens, or that wrote the line feeds of a string without escaping them. The lines are followed token
 * by token, so lines that cannot be one record are let go at once.
 */
import type { JsonObject, JsonValue } from '../../core/json/json-value.ts'
import { RecordLines } from '../../storage/jsonl/record-lines.ts'
import type { StoredRecord } from '../../storage/record-source.ts'
import { pieceOf, piecesOf, type SavedPiece, withoutMarks } from './mend-line.ts'

export interface JoinedLines {
  readonly code: 'bytes/layout' | 'bytes/split-line'
  readonly pieces: readonly SavedPiece[]
  /** The lines before the last one. */
  readonly completes: readonly StoredRecord[]
  /** The lines with what belongs between them. */
  readonly joined: readonly Buffer[]
}

const OPENING_BRACE = 0x7b
/** Most that is held of lines that may be one record. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_LINES = 20_000

const LINE_FEED = Buffer.from('\n')
/** In a string. */
const ESCAPED = Buffer.from('\\n')
const NOTHING = Buffer.alloc(0)

export class SplitRecord {
  readonly records: StoredRecord[] = []
  readonly #tokens = new RecordLines()
  readonly #lines: Buffer[] = []
  /** What belongs between the lines. */
  readonly #feeds: Buffer[] = []
  readonly #made: Buffer[] = []
  #bytes = 0

  /** Whether the lines may be the beginning of a record. */
  get isOpen(): boolean {
    const { isBetween, isBroken } = this.#tokens
    return !isBetween && !isBroken && this.#bytes <= MOST_BYTES && this.#lines.length <= MOST_LINES
  }

  /** @param bytes - of a line that is no record of its own. */
  add(record: StoredRecord, bytes: Buffer): void {
    const isFirst = this.#lines.length === 0
    const line = Buffer.from(bytes)
    this.records.push({ ...record, content: { kind: 'bytes', bytes: line } })
    this.#lines.push(line)
    this.#bytes += line.length
    const content = isFirst ? line.subarray(withoutMarks(line).byteOffset - line.byteOffset) : line
    if (isFirst && content[0] !== OPENING_BRACE) this.#bytes = Number.POSITIVE_INFINITY
    else this.#take(content, isFirst)
  }

  #take(content: Buffer, isFirst: boolean): void {
    if (!isFirst) {
      const { openString } = this.#tokens
      const feed = openString === undefined ? LINE_FEED : openString === 'string' ? ESCAPED : NOTHING
      this.#feeds.push(feed)
      this.#made.push(Buffer.from(this.#tokens.push(feed, true)))
    }
    this.#made.push(Buffer.from(this.#tokens.push(content, true)))
  }

  /** The rows that the lines are; nothing when they are none, or not all of one. */
  joined(): JoinedLines | undefined {
    if (this.#lines.length < 2) return undefined
    const { isBetween } = this.#tokens
    const pieces = isBetween ? piecesOf(Buffer.concat(this.#made)) : undefined
    if (pieces !== undefined && !pieces.some(({ value }) => hasBrokenName(value)))
      return this.#as(pieces, this.#feeds)
    // A line feed that came into a name, a number or an escape stands for nothing.
    if (!isBetween && this.#lines.length > 2) return undefined
    const bare = pieceOf(Buffer.concat(this.#lines))
    return bare && this.#as([bare], this.#feeds.fill(NOTHING))
  }

  #as(pieces: readonly SavedPiece[], feeds: readonly Buffer[]): JoinedLines {
    const isBetweenTokens = feeds.every((feed) => feed === LINE_FEED)
    return {
      code: isBetweenTokens ? 'bytes/layout' : 'bytes/split-line',
      pieces,
      completes: this.records.slice(0, -1),
      joined: this.#lines.map((line, index) => Buffer.concat([line, feeds[index] ?? NOTHING])),
    }
  }
}

/** Whether a line feed is in the name of a member or of the type. */
function hasBrokenName(value: JsonValue): boolean {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next !== 'object' || next === null) continue
    const type = (next as JsonObject).type
    const names = Array.isArray(next) ? [] : Object.keys(next)
    if ([...names, ...(typeof type === 'string' ? [type] : [])].some((name) => name.includes('\n')))
      return true
    for (const inner of Object.values(next)) pending.push(inner)
  }
  return false
}
