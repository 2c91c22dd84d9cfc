/**
 * Answers of formats 0 and 1 against their stream (format.md §9.3, §11 C12): the migration to format 2 folds chunks into
 * the answer that cites exactly them, and refuses an answer whose list is another one.
 */

import { citedSeqs, type SessionEvent } from '../event/session-event.ts'
import { isJsonObject } from '../json/json-value.ts'
import type { QuietRun } from '../replay/quiet-run.ts'

interface Attempt {
  readonly turn: unknown
  readonly step: unknown
  readonly chunks: number[]
  finished: boolean
}

/** What ends an attempt that no answer has claimed. */
const CLOSING = new Set(['turn/end', 'step/end', 'llm/retry', 'llm/retry-started'])

export class Attempts {
  #attempt: Attempt | undefined

  /** Whether the migration refuses the event because of its stream. */
  follow(event: SessionEvent): boolean {
    const { type, seq, data } = event
    if (CLOSING.has(type)) this.#attempt = undefined
    if (!isJsonObject(data)) return false
    if (type === 'assistant/chunk') {
      const { turn, step, chunk } = data
      const current = this.#attempt
      if (current === undefined || current.finished || current.turn !== turn || current.step !== step)
        this.#attempt = { turn, step, chunks: [seq], finished: false }
      else current.chunks.push(seq)
      if (isJsonObject(chunk) && chunk.type === 'finish' && this.#attempt !== undefined)
        this.#attempt.finished = true
      return false
    }
    if (type !== 'assistant/message') return false
    const attempt = this.#attempt
    this.#attempt = undefined
    if (attempt === undefined || attempt.turn !== data.turn || attempt.step !== data.step) return false
    if (event.sourceEventSeqs === undefined) return true
    const sources = citedSeqs(event)
    if (sources.length === 0) return false
    return !(sources.length === attempt.chunks.length && sources.every((at, i) => at === attempt.chunks[i]))
  }

  /** Takes streamed deltas as a run. */
  skim({ first, count, turn, step }: QuietRun): void {
    const current = this.#attempt
    const goesOn =
      current !== undefined && !current.finished && current.turn === turn && current.step === step
    const attempt = goesOn ? current : { turn, step, chunks: [], finished: false }
    for (let seq = first; seq < first + count; seq++) attempt.chunks.push(seq)
    this.#attempt = attempt
  }

  /** Whether a cut before `seq` goes through a stream. */
  holds(seq: number): boolean {
    const chunks = this.#attempt?.chunks ?? []
    return (chunks[0] ?? seq) < seq && (chunks.at(-1) ?? -1) >= seq
  }
}
