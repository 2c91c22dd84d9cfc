/**
 * What streamed chunks come to, assembled as DSH assembles its answers (`dsh-llm`, BlockAssembler): blocks in the order in
 * which they first occur, each as the chunk that closes it says, or as its deltas have come to.
 */
import { isJsonObject, type JsonObject, type JsonValue, wordOf } from '../json/json-value.ts'

interface Partial {
  readonly type: string
  text: string
  arguments: string
  id: JsonValue
  name: string
  closed?: JsonValue
}

export class AssembledStream {
  usage: JsonValue | undefined
  /** The reason of the last chunk that ends an attempt. */
  finish: JsonValue | undefined
  #replayState: JsonValue | undefined
  readonly #blocks = new Map<number, Partial>()

  push(chunk: JsonObject): void {
    const { type, index } = chunk
    if (type === 'usage') this.usage = chunk.usage
    else if (type === 'finish') {
      this.finish = chunk.reason
      this.#replayState = chunk.replayState
    } else if (typeof index !== 'number') return
    else if (type === 'block-start') this.#block(index, wordOf(chunk.blockType))
    else if (type === 'block-end') {
      const { block } = chunk
      const known = this.#block(index, isJsonObject(block) ? wordOf(block.type) : '')
      if (known.closed === undefined && block !== undefined) known.closed = block
    } else if (typeof chunk.text === 'string')
      this.#block(index, String(type).replace('-delta', '')).text += chunk.text
    else if (typeof chunk.argumentsDelta === 'string') {
      const call = this.#block(index, 'tool-call')
      call.arguments += chunk.argumentsDelta
      call.id = chunk.id ?? null
      if (typeof chunk.name === 'string' && chunk.name !== '') call.name = chunk.name
    }
  }

  /** The blocks of the answer; `undefined` where a block of an unknown type was never closed. */
  content(interrupted = false): readonly JsonValue[] | undefined {
    const all = this.#assembled(interrupted)
    if (interrupted || all === undefined) return all?.filter(isReadable)
    return all.filter((block) => this.#isKept(block))
  }

  /** What the provider needs to be shown the answer again, for the blocks that are in it. */
  get replayState(): JsonValue | undefined {
    const envelope = this.#replayState
    if (!isJsonObject(envelope) || !Array.isArray(envelope.blocks)) return envelope
    const all = this.#assembled() ?? []
    const blocks = envelope.blocks as readonly JsonValue[]
    if (blocks.length !== all.length) return undefined
    const kept = blocks.filter((_, position) => this.#isKept(all[position] as JsonValue))
    return kept.length === blocks.length ? envelope : { response: envelope.response ?? null, blocks: kept }
  }

  #block(index: number, type: string): Partial {
    const known = this.#blocks.get(index)
    if (known !== undefined) return known
    const block: Partial = { type, text: '', arguments: '', id: `call-${index}`, name: '' }
    this.#blocks.set(index, block)
    return block
  }

  /** @param skips - leave out what cannot be assembled. */
  #assembled(skips = false): readonly JsonValue[] | undefined {
    const blocks = [...this.#blocks.values()].map(assembled)
    const known = blocks.filter((block) => block !== undefined)
    return skips || known.length === blocks.length ? known : undefined
  }

  /** A call that was cut off cannot be run. */
  #isKept(block: JsonValue): boolean {
    const isCut = isJsonObject(this.finish) && this.finish.kind === 'max-tokens'
    return !isCut || !isJsonObject(block) || block.type !== 'tool-call'
  }
}

function assembled({ type, text, closed, ...call }: Partial): JsonValue | undefined {
  if (closed !== undefined) return closed
  if (type === 'tool-call') return { type, id: call.id, name: call.name, arguments: call.arguments }
  return type === 'text' || type === 'reasoning' ? { type, text } : undefined
}

/** Whether an answer that was interrupted keeps the block. */
function isReadable(block: JsonValue): boolean {
  return (
    isJsonObject(block) &&
    (block.type === 'text' || block.type === 'reasoning') &&
    typeof block.text === 'string' &&
    block.text.trim() !== ''
  )
}
