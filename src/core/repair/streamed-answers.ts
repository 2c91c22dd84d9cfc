/**
 * Answers of formats 0 and 1 whose message is lost and whose stream is whole. DSH writes the message right after the
 * chunk that ends the attempt, made of nothing but the chunks and the model that was asked, so it is told in full; only
 * its id is not, and it gets a new one. Where a chunk is missing, or the chunk that ends the attempt, or where the attempt
 * failed, there may have been another message, or none, and nothing is made.
 */
import { AssembledStream } from '../event/assembled-stream.ts'
import type { SessionEvent } from '../event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'

export interface StreamedAnswer {
  readonly turn: JsonValue
  readonly step: JsonValue
  readonly content: readonly JsonValue[]
  readonly usage: JsonValue | undefined
  readonly replayState: JsonValue | undefined
  /** The chunks, by their dense numbers. */
  readonly chunks: readonly number[]
}

/** How attempts end that make an answer. */
const ANSWERED: ReadonlySet<JsonValue | undefined> = new Set(['stop', 'tool-calls', 'max-tokens'])
/** What comes next in a step that goes on with another attempt, or that already has its answer. */
const ANOTHER: ReadonlySet<string> = new Set([
  'assistant/chunk',
  'assistant/message',
  'llm/retry',
  'llm/retry-started',
])

export class StreamedAnswers {
  #stream = new AssembledStream()
  #chunks: number[] = []
  #turn: JsonValue | undefined
  #step: JsonValue | undefined
  /** Nothing is missing since the step began. */
  #isWhole = false

  /**
   * @param isAfterGap - events are missing right before the event.
   * @returns the answer that was the first of them.
   */
  take(event: SessionEvent, isAfterGap: boolean): StreamedAnswer | undefined {
    const { type } = event
    const lost = isAfterGap && !ANOTHER.has(type) ? this.#answerBefore(event) : undefined
    const data = objectIn(event.data)
    if (isAfterGap) this.#isWhole = false
    if (type === 'step/start') {
      this.#isWhole = true
      this.#turn = data.turn
      this.#step = data.step
    }
    if (type === 'assistant/chunk' && isJsonObject(data.chunk)) this.#chunk(event.seq, data, data.chunk)
    else if (isAfterGap || type === 'step/start' || ANOTHER.has(type)) this.#begin()
    return lost
  }

  #chunk(seq: number, { turn, step }: JsonObject, chunk: JsonObject): void {
    if (this.#stream.finish !== undefined) this.#begin()
    if (turn !== this.#turn || step !== this.#step) this.#isWhole = false
    this.#chunks.push(seq)
    this.#stream.push(chunk)
  }

  #begin(): void {
    this.#stream = new AssembledStream()
    this.#chunks = []
  }

  #answerBefore({ seq }: SessionEvent): StreamedAnswer | undefined {
    const { finish, usage, replayState } = this.#stream
    if (!this.#isWhole || this.#chunks.at(-1) !== seq - 1) return undefined
    if (!isJsonObject(finish) || !ANSWERED.has(finish.kind)) return undefined
    const content = this.#stream.content() ?? []
    const [turn, step] = [this.#turn, this.#step]
    if (content.length === 0 || turn === undefined || step === undefined) return undefined
    return { turn, step, content, usage, replayState, chunks: this.#chunks }
  }
}
