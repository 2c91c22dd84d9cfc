/**
 * Splits bytes into lines on LF alone. A lone CR, NUL, U+2028 or byte order mark is data, never a line end. Keeps
 * the offset and number of every line, and passes over a line that is longer than the limit without holding it.
 */
import type { StoredRecord } from '../record-source.ts'

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
    let start = 0
    for (let end = chunk.indexOf(LF, start); end !== -1; end = chunk.indexOf(LF, start)) {
      records.push(this.#take(chunk.subarray(start, end), true))
      start = end + 1
    }
    this.#hold(chunk.subarray(start))
    return records
  }

  /** The last line when no line feed ends it. */
  finish(): StoredRecord | undefined {
    return this.#held === 0 ? undefined : this.#take(EMPTY, false)
  }

  #take(rest: Buffer, ended: boolean): StoredRecord {
    const byteOffset = this.#byteOffset
    const line = this.#line
    const length = this.#held + rest.length
    const pieces = this.#pieces
    if (this.#held > 0) {
      this.#pieces = []
      this.#held = 0
    }
    this.#byteOffset += length + 1
    this.#line++
    const origin = { line, byteOffset, byteLength: length }
    if (length > this.#maxRecord) {
      return { kind: 'record', line, origin, ended, content: { kind: 'oversize', bytes: length } }
    }
    const bytes = pieces.length === 0 ? rest : Buffer.concat([...pieces, rest], length)
    return { kind: 'record', line, origin, ended, content: { kind: 'bytes', bytes } }
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return
    this.#held += piece.length
    if (this.#held > this.#maxRecord) this.#pieces = []
    else this.#pieces.push(Buffer.from(piece))
  }
}
