/**
 * The contents of frames, in order → records. Lines end on LF alone and are numbered over the whole log. A line that
 * goes on in the next frame becomes one record only when both parts together are JSON: the part behind the boundary
 * may as well be a line of its own, whose beginning was never broken.
 */
import type { Origin } from '../../core/findings/origin.ts'
import type { DeltaScanner } from '../packed-rows/delta-lines.ts'
import type { RecordContent, StoredDeltas, StoredRecord } from '../record-source.ts'

export const LF = 10

/** Where in the file the frame of a line is. */
export type FramePlace = Required<Pick<Origin, 'byteOffset' | 'frame'>>

interface Piece {
  readonly bytes: Buffer
  readonly place: FramePlace
}

export class FrameLines {
  /** Number of the next line. */
  line = 1
  readonly #maxRecord: number
  /** A line so far that no line feed has ended. */
  #pieces: Piece[] = []
  #held = 0
  readonly #deltas: DeltaScanner | undefined

  /** @param deltas - recognises runs of streamed deltas, for whoever wants them as such. */
  constructor(maxRecord: number, deltas?: DeltaScanner) {
    this.#maxRecord = maxRecord
    this.#deltas = deltas
  }

  /** The records that `content` completes; what follows its last line feed is kept for the next frame. */
  push(content: Buffer, place: FramePlace): (StoredRecord | StoredDeltas)[] {
    const records: (StoredRecord | StoredDeltas)[] = []
    let start = 0
    for (;;) {
      const run = this.#pieces.length === 0 ? this.#deltas?.scan(content, start) : undefined
      if (run !== undefined) {
        records.push({
          kind: 'deltas',
          ...run,
          ...place,
          line: this.line,
          bytes: content.subarray(start, run.end),
        })
        this.line += run.lines
        start = run.end
      }
      const end = content.indexOf(LF, start)
      if (end === -1) break
      const bytes = content.subarray(start, end)
      if (this.#pieces.length > 0) records.push(...this.#joined([...this.#pieces, { bytes, place }]))
      else records.push(this.#record(bytes, place))
      start = end + 1
    }
    if (start < content.length) {
      const bytes = content.subarray(start)
      this.#pieces.push({ bytes, place })
      this.#held += bytes.length
      if (this.#held > this.#maxRecord) records.push(...this.#apart(this.#pieces))
    }
    return records
  }

  /** The line that nothing will continue. */
  flush(): StoredRecord[] {
    return this.#pieces.length === 0 ? [] : this.#joined(this.#pieces)
  }

  #joined(pieces: readonly Piece[]): StoredRecord[] {
    const whole = Buffer.concat(pieces.map(({ bytes }) => bytes))
    if (whole.length > this.#maxRecord || !isJson(whole)) return this.#apart(pieces)
    this.#forget()
    return [this.#record(whole, (pieces[0] as Piece).place)]
  }

  #apart(pieces: readonly Piece[]): StoredRecord[] {
    this.#forget()
    return pieces
      .filter(({ bytes }) => bytes.length > 0)
      .map(({ bytes, place }) => this.#record(bytes, place))
  }

  #forget(): void {
    this.#pieces = []
    this.#held = 0
  }

  #record(bytes: Buffer, place: FramePlace): StoredRecord {
    const line = this.line++
    const content: RecordContent =
      bytes.length > this.#maxRecord ? { kind: 'oversize', bytes: bytes.length } : { kind: 'bytes', bytes }
    const origin = { line, byteOffset: place.byteOffset, byteLength: bytes.length, frame: place.frame }
    return { kind: 'record', line, origin, ended: true, content }
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'))
    return true
  } catch {
    return false
  }
}
