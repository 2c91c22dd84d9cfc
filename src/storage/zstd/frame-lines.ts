/**
 * The contents of frames, in order → records. Lines end on LF alone and are numbered over the whole log. DSH reads a line
 * that goes on in the next frame as one line. When its parts together are no JSON it refuses the log, and they become
 * records of their own: the part after the boundary may be a line whose beginning was never broken.
 */
import type { Origin } from '../../core/findings/origin.ts'
import { isJsonObject } from '../../core/json/json-value.ts'
import type { DeltaScanner } from '../packed-rows/delta-lines.ts'
import type {
  ContainerFault,
  RecordContent,
  Standing,
  StoredDeltas,
  StoredItem,
  StoredRecord,
} from '../record-source.ts'

export const LF = 10

/** Where in the file the frame of a line is, and what DSH makes of it. */
export type FramePlace = Required<Pick<Origin, 'byteOffset' | 'frame'>> & { readonly standing?: Standing }

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

  /** @param deltas - recognises runs of streamed deltas, for anyone who wants them as such. */
  constructor(maxRecord: number, deltas?: DeltaScanner) {
    this.#maxRecord = maxRecord
    this.#deltas = deltas
  }

  /** The records that `content` completes; what follows its last line feed is kept for the next frame. */
  push(content: Buffer, place: FramePlace): (StoredItem | StoredDeltas)[] {
    const records: (StoredItem | StoredDeltas)[] = []
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
      if (this.#held > this.#maxRecord)
        records.push(...this.#endsInside('bytes/frame-splits-record'), ...this.#apart(this.#pieces))
    }
    return records
  }

  /** The line that nothing will continue: the last whole frame ends inside it, and DSH refuses the log. */
  flush(): StoredItem[] {
    if (this.#pieces.length === 0) return []
    const faults = this.#endsInside('bytes/frame-splits-record')
    return [...faults, ...(this.#whole(this.#pieces) ?? this.#apart(this.#pieces))]
  }

  #joined(pieces: readonly Piece[]): StoredItem[] {
    // A torn frame with the end of a record is refused as well.
    const [first, last] = [pieces[0] as Piece, pieces.at(-1) as Piece]
    const isTaken = first.place.standing === last.place.standing
    const taken = this.#endsInside('bytes/record-over-frames')
    const refused = this.#endsInside('bytes/frame-splits-record')
    const whole = this.#whole(pieces)
    return whole === undefined
      ? [...refused, ...this.#apart(pieces)]
      : [...(isTaken ? taken : refused), ...whole]
  }

  /** The line of all pieces, when it is JSON. */
  #whole(pieces: readonly Piece[]): readonly StoredRecord[] | undefined {
    const whole = Buffer.concat(pieces.map(({ bytes }) => bytes))
    if (whole.length > this.#maxRecord || !isJson(whole)) return undefined
    this.#forget()
    return [this.#record(whole, (pieces[0] as Piece).place)]
  }

  #apart(pieces: readonly Piece[]): readonly StoredRecord[] {
    this.#forget()
    return pieces
      .filter(({ bytes }) => bytes.length > 0)
      .map(({ bytes, place }) => this.#record(bytes, place))
  }

  /** The frames that end inside the line so far. The first one is judged by what it has to hold. */
  #endsInside(code: 'bytes/record-over-frames' | 'bytes/frame-splits-record'): readonly ContainerFault[] {
    return this.#pieces
      .filter(({ place }) => place.byteOffset > 0)
      .map(({ place: { byteOffset, frame } }) => ({
        kind: 'fault',
        code,
        origin: { byteOffset, frame },
        args: {},
        losesRecords: false,
      }))
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
    const { standing } = place
    return { kind: 'record', line, origin, ended: true, content, ...(standing !== undefined && { standing }) }
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

/** What the frame holds instead; absent when it is as it should be. */
export function headerFrameProblem(content: Buffer): string | undefined {
  const firstEnd = content.indexOf(LF)
  if (content.length === 0) return 'nothing'
  if (firstEnd === -1) return 'no line feed'
  if (firstEnd === content.length - 1) return undefined
  let lines = 0
  for (let at = firstEnd; at !== -1; at = content.indexOf(LF, at + 1)) lines++
  const rest = content[content.length - 1] === LF ? '' : ' and the start of another line'
  if (!isHeader(content.subarray(0, firstEnd))) return `${lines} ${lines === 1 ? 'line' : 'lines'}${rest}`
  if (lines === 1) return `the header${rest}`
  const events = `${lines - 1} ${lines === 2 ? 'event' : 'events'}`
  return rest === '' ? `the header and ${events}` : `the header, ${events}${rest}`
}

function isHeader(line: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return isJsonObject(value) && value.type === 'session'
  } catch {
    return false
  }
}
