/** Streamed texts of formats 0 and 1, put together from rows that lie apart. */
import { deltasOf, endsStreams } from '../../core/redact/streamed-pieces.ts'
import type { ReadRecord } from './read-records.ts'

/** A piece, and the row that has it. */
export interface PlacedPiece {
  readonly line: number
  /** Which of the pieces of its row it is. */
  readonly index: number
}

/** A text of this many units is taken in two: more than a model says at once. */
const LONGEST_STREAM = 16 * 1024 * 1024

interface Stream {
  readonly texts: string[]
  readonly places: PlacedPiece[]
  units: number
}

export class StreamedTexts {
  readonly #open = new Map<string, Stream>()
  readonly #onText: (texts: readonly string[], places: readonly PlacedPiece[]) => void

  /** @param onText - is given the pieces of each text once it has ended, and where they are. */
  constructor(onText: (texts: readonly string[], places: readonly PlacedPiece[]) => void) {
    this.#onText = onText
  }

  /** @returns whether the record is a part of a streamed text. */
  take({ line, row }: ReadRecord): boolean {
    if (row === undefined) return false
    const deltas = deltasOf(row)
    if (deltas === undefined) {
      if (endsStreams(row)) this.end()
      return false
    }
    const stream = this.#open.get(deltas.stream) ?? { texts: [], places: [], units: 0 }
    this.#open.set(deltas.stream, stream)
    for (const [index, text] of deltas.texts.entries()) {
      stream.texts.push(text)
      stream.places.push({ line, index })
      stream.units += text.length
    }
    if (stream.units > LONGEST_STREAM) this.end()
    return true
  }

  end(): void {
    for (const { texts, places } of this.#open.values()) this.#onText(texts, places)
    this.#open.clear()
  }
}
