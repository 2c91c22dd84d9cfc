/**
 * Answers of formats 0 and 1 that do not cite exactly the chunks of their own stream: chunks of another attempt, too
 * few, too many, or none though there are some. The migration to format 2 refuses the log for one of them.
 */
import { messageOf, type SessionEvent } from '../event/session-event.ts'
import { isJsonObject, itemsIn, type JsonObject, sameJson } from '../json/json-value.ts'
import type { AttemptChunks } from './attempt-chunks.ts'
import type { Changes } from './changes.ts'

export class StreamMendings {
  readonly #changes: Changes
  readonly #chunks: AttemptChunks

  /** @param chunks - of the answer that comes next. */
  constructor(changes: Changes, chunks: AttemptChunks) {
    this.#changes = changes
    this.#chunks = chunks
  }

  on(event: SessionEvent): void {
    const { type, seq, data, sourceEventSeqs: cited } = event
    if (type !== 'assistant/message' || !isJsonObject(data)) return
    const { turn, step } = data
    if (this.#chunks.isElsewhere(turn, step)) return
    const own = this.#chunks.seqsAt(turn, step)
    if (cited === undefined ? own === undefined : sameJson(cited, []) || sameJson(cited, own)) return
    const isSaid = own !== undefined && sameJson(this.#chunks.content(), contentOf(event))
    this.#changes.change(seq, 'streams', { at: ['sourceEventSeqs'], value: isSaid ? own : [] })
  }
}

function contentOf(event: SessionEvent): readonly JsonObject[] {
  return itemsIn(messageOf(event)?.content).map((block) => {
    if (!isJsonObject(block)) return {}
    const { type, text, id, name, arguments: args } = block
    if (type === 'tool-call') return { type, id: id ?? null, name: name ?? null, arguments: args ?? null }
    return { type: type ?? null, text: text ?? null }
  })
}
