/**
 * Formats 0 and 1 on the way to format 2 (format.md §9.3): streamed chunks are folded into the answer that cites exactly
 * them, or become an attempt of their own, and the other events are numbered anew without them.
 */
import { firstIndex } from '../../json/first-index.ts'
import type { JsonValue } from '../../json/json-value.ts'
import type { ChunkRun } from './stored-rows.ts'

/** What ends an attempt that no answer has claimed. */
export const CLOSING: ReadonlySet<string> = new Set([
  'turn/end',
  'step/end',
  'llm/retry',
  'llm/retry-started',
])

interface Attempt {
  readonly turn: JsonValue | undefined
  readonly step: JsonValue | undefined
  /** First and last seq of runs of chunks, in order. */
  readonly spans: [first: number, last: number][]
  count: number
  isFinished: boolean
}

export class AnswerStreams {
  /** Chunks that were taken, as runs of seqs. */
  readonly #chunks: [first: number, last: number][] = []
  #attempt: Attempt | undefined
  /** Seq of the next event of the migrated log. */
  next = 0

  /** Whether chunks go on with the attempt that waits, or begin the first one. */
  continues({ turn, step }: Pick<ChunkRun, 'turn' | 'step'>): boolean {
    const open = this.#attempt
    return open === undefined || (!open.isFinished && open.turn === turn && open.step === step)
  }

  take({ first, count, turn, step }: ChunkRun, isFinish: boolean): void {
    const last = first + count - 1
    extend(this.#chunks, first, last)
    this.#attempt ??= { turn, step, spans: [], count: 0, isFinished: false }
    extend(this.#attempt.spans, first, last)
    this.#attempt.count += count
    this.#attempt.isFinished ||= isFinish
  }

  /** Turn and step of the chunks that wait for their answer. */
  get waiting(): Pick<Attempt, 'turn' | 'step'> | undefined {
    return this.#attempt
  }

  /** Ends the attempt that waits. @returns it, with the seq of its last chunk; absent when there is none. */
  end(): (Pick<Attempt, 'turn' | 'step'> & { readonly last: number }) | undefined {
    const attempt = this.#attempt
    this.#attempt = undefined
    return attempt && { ...attempt, last: attempt.spans.at(-1)?.[1] ?? 0 }
  }

  /** An answer takes the chunks that wait. */
  claim(): void {
    this.#attempt = undefined
  }

  /** Whether the list names exactly the chunks that wait, in their order. */
  isStream(sources: readonly number[]): boolean {
    const attempt = this.#attempt
    if (attempt === undefined || attempt.count !== sources.length) return false
    let index = 0
    for (const [first, last] of attempt.spans)
      for (let seq = first; seq <= last; seq++) if (sources[index++] !== seq) return false
    return true
  }

  /** Whether the attempt that waits began on the other side of `cut` than `seq`. */
  isCutBefore(cut: number, seq: number): boolean {
    const first = this.#attempt?.spans[0]?.[0] ?? seq
    return first < cut !== seq < cut
  }

  isChunk(seq: number): boolean {
    const chunks = this.#chunks
    const span = chunks[firstIndex(chunks.length, (index) => (chunks[index] as [number, number])[1] < seq)]
    return span !== undefined && span[0] <= seq
  }
}

function extend(spans: [first: number, last: number][], first: number, last: number): void {
  const span = spans.at(-1)
  if (span !== undefined && span[1] + 1 === first) span[1] = last
  else spans.push([first, last])
}
