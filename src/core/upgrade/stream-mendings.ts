/**
 * Answers of formats 0 and 1 that do not cite exactly the chunks of their own stream: chunks of another attempt, too
 * few, too many, or none though there are some. The migration to format 2 refuses the log for one of them.
 */
import { messageOf, type SessionEvent } from '../event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue, sameJson } from '../json/json-value.ts'
import { AttemptChunks } from './attempt-chunks.ts'
import type { UpgradeSink } from './upgrade-sink.ts'

export class StreamMendings {
  readonly #sink: UpgradeSink
  readonly #chunks = new AttemptChunks()

  constructor(sink: UpgradeSink) {
    this.#sink = sink
  }

  /** The last counts of tokens in the stream of the answer that comes next. */
  usage(): JsonValue | undefined {
    return this.#chunks.usage()
  }

  on(event: SessionEvent): void {
    if (event.type === 'assistant/message') this.#answered(event)
    this.#chunks.on(event)
  }

  #answered(event: SessionEvent): void {
    const { seq, data, sourceEventSeqs: cited } = event
    if (!isJsonObject(data)) return
    const { turn, step } = data
    if (this.#chunks.isElsewhere(turn, step)) return
    const own = this.#chunks.seqsAt(turn, step)
    if (cited === undefined ? own === undefined : sameJson(cited, []) || sameJson(cited, own)) return
    const isSaid = own !== undefined && sameJson(this.#chunks.content(), contentOf(event))
    this.#sink.change(seq, 'streams', { at: ['sourceEventSeqs'], value: isSaid ? own : [] })
  }
}

function contentOf(event: SessionEvent): readonly JsonObject[] {
  const content = messageOf(event)?.content
  if (!Array.isArray(content)) return []
  return content.map((block) => {
    if (!isJsonObject(block)) return {}
    const { type, text, id, name, arguments: args } = block
    if (type === 'tool-call') return { type, id: id ?? null, name: name ?? null, arguments: args ?? null }
    return { type: type ?? null, text: text ?? null }
  })
}
