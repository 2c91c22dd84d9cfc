/**
 * Splits bytes into lines on LF alone. A lone CR, NUL, U+2028 or byte order mark is data, never a line end. Keeps
 * the offset and number of every line, and passes over a line that is longer than the limit without holding it.
 */
import type { DeltaScanner } from '../packed-rows/delta-lines.ts'
import { LineContent, type StoredDeltas, type StoredRecord } from '../record-source.ts'

const LF = 10
const EMPTY = Buffer.alloc(0)

export class LineScanner {
  readonly #maxRecord: number
  /** Start of the line that is being collected. */
  #byteOffset = 0
  #line = 1
  /** Pieces of it that came with earlier chunks. */
  #pieces: Buffer[] = []
  #held = 0

  constructor(maxRecord: number) {
    this.#maxRecord = maxRecord
  }

  /** The lines that `chunk` completes. Their bytes may be views into it. */
  push(chunk: Buffer): StoredRecord[] {
    const records: StoredRecord[] = []
    this.#scan(chunk, records)
    return records
  }

  /** The same, with runs of streamed deltas recognised by `deltas`. */
  pushWithRuns(chunk: Buffer, deltas: DeltaScanner): (StoredRecord | StoredDeltas)[] {
    const items: (StoredRecord | StoredDeltas)[] = []
    this.#scan(chunk, items, deltas)
    return items
  }

  #scan(chunk: Buffer, items: (StoredRecord | StoredDeltas)[], deltas?: DeltaScanner): void {
    let start = 0
    for (;;) {
      const run = this.#held === 0 ? deltas?.scan(chunk, start) : undefined
      if (run !== undefined) {
        const bytes = chunk.subarray(start, run.end)
        items.push({ kind: 'deltas', ...run, line: this.#line, byteOffset: this.#byteOffset, bytes })
        this.#line += run.lines
        this.#byteOffset += bytes.length
        start = run.end
      }
      const end = chunk.indexOf(LF, start)
      if (end === -1) break
      items.push(this.#take(chunk, start, end, true))
      start = end + 1
    }
    this.#hold(chunk.subarray(start))
  }

  /** The last line when no line feed ends it. */
  finish(): StoredRecord | undefined {
    return this.#held === 0 ? undefined : this.#take(EMPTY, 0, 0, false)
  }

  /** Takes back what was pushed after the last line feed. */
  forget(): void {
    this.#pieces = []
    this.#held = 0
  }

  /** The line that ends with what is between two places of the chunk. */
  #take(chunk: Buffer, start: number, end: number, ended: boolean): StoredRecord {
    const byteOffset = this.#byteOffset
    const line = this.#line
    const length = this.#held + end - start
    const pieces = this.#pieces
    if (this.#held > 0) this.forget()
    this.#byteOffset += length + 1
    this.#line++
    const origin = { line, byteOffset, byteLength: length }
    if (length > this.#maxRecord) {
      return { kind: 'record', line, origin, ended, content: { kind: 'oversize', bytes: length } }
    }
    if (pieces.length === 0) {
      return { kind: 'record', line, origin, ended, content: new LineContent(chunk, start, end) }
    }
    const bytes = Buffer.concat([...pieces, chunk.subarray(start, end)], length)
    return { kind: 'record', line, origin, ended, content: { kind: 'bytes', bytes } }
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return
    this.#held += piece.length
    if (this.#held > this.#maxRecord) this.#pieces = []
    else this.#pieces.push(Buffer.from(piece))
  }
}
