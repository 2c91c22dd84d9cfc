/** The chunks of the attempt that runs, as a migration to format 2 groups them (format.md §9.3), and what they say. */
import { CLOSING } from '../compatibility/migration/answer-streams.ts'
import type { SessionEvent } from '../event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'

interface Chunk {
  readonly seq: number
  readonly chunk: JsonObject
}

export class AttemptChunks {
  #chunks: Chunk[] = []
  #turn: JsonValue | undefined
  #step: JsonValue | undefined
  #isFinished = false
  /** Whether an answer has claimed it. */
  #isClaimed = false

  on({ type, seq, data }: SessionEvent): void {
    if (CLOSING.has(type)) this.#chunks = []
    if (type === 'assistant/message') this.#isClaimed = true
    if (type !== 'assistant/chunk' || !isJsonObject(data)) return
    const { turn, step, chunk } = data
    const continues = !this.#isFinished && !this.#isClaimed && turn === this.#turn && step === this.#step
    if (!continues) this.#chunks = []
    this.#turn = turn
    this.#step = step
    this.#isClaimed = false
    if (!isJsonObject(chunk)) return
    this.#chunks.push({ seq, chunk })
    this.#isFinished = chunk.type === 'finish'
  }

  get #runs(): boolean {
    return this.#chunks.length > 0 && !this.#isClaimed
  }

  /** Seqs of the attempt that an answer of this place would have to cite; `undefined` when there is none. */
  seqsAt(turn: JsonValue | undefined, step: JsonValue | undefined): readonly number[] | undefined {
    if (!this.#runs || turn !== this.#turn || step !== this.#step) return undefined
    return this.#chunks.map(({ seq }) => seq)
  }

  /** Whether an attempt runs at another place: its answer gets an empty stream, whatever it cites. */
  isElsewhere(turn: JsonValue | undefined, step: JsonValue | undefined): boolean {
    return this.#runs && (turn !== this.#turn || step !== this.#step)
  }

  /** The content that the chunks amount to. */
  content(): readonly JsonObject[] {
    const blocks = new Map<JsonValue | undefined, JsonObject>()
    for (const { chunk } of this.#chunks) {
      const { type, index, text, id, name, argumentsDelta } = chunk
      const before = blocks.get(index)
      if (type === 'text-delta' || type === 'reasoning-delta') {
        const kind = type === 'text-delta' ? 'text' : 'reasoning'
        blocks.set(index, { type: kind, text: `${before?.text ?? ''}${text}` })
      } else if (type === 'tool-call-delta') {
        const named = name === undefined ? before?.name : name
        const args = `${before?.arguments ?? ''}${argumentsDelta}`
        blocks.set(index, { type: 'tool-call', id: id ?? null, name: named ?? null, arguments: args })
      }
    }
    return [...blocks].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, block]) => block)
  }

  /** The last counts of tokens in it. */
  usage(): JsonValue | undefined {
    return this.#chunks.findLast(({ chunk }) => chunk.type === 'usage')?.chunk.usage
  }

  /** Where the call that is the nth of this id in the stream is named. */
  naming(
    id: string,
    occurrence: number,
  ): readonly { readonly seq: number; readonly at: readonly string[] }[] {
    const found = this.#chunks.flatMap(({ seq, chunk }) => {
      const { block } = chunk
      if (chunk.type === 'tool-call-delta' && chunk.id === id)
        return [{ seq, index: chunk.index, at: ['data', 'chunk', 'id'] }]
      return isJsonObject(block) && block.type === 'tool-call' && block.id === id
        ? [{ seq, index: chunk.index, at: ['data', 'chunk', 'block', 'id'] }]
        : []
    })
    const index = [...new Set(found.map((one) => one.index))][occurrence]
    return found.filter((one) => one.index === index)
  }
}
