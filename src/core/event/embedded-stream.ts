/** The stream records inside an answer of format 2 and later (format.md §4.1 AssistantStreamRecord, §11 C10). */
import type { EvidenceOf } from '../findings/rules.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectIn, sameJson } from '../json/json-value.ts'

const RUNS: Readonly<Record<string, string>> = {
  'text-chunks': 'texts',
  'reasoning-chunks': 'texts',
  'tool-call-chunks': 'args',
}

type Settlement = EvidenceOf<'message/settlement-invalid'>

/** What is wrong with a record of a stream; `part` says which of its members. */
type RecordFault = Pick<Settlement, 'fault' | 'part'>

/** What is wrong with the first bad record of an embedded stream; `undefined` for a sound one. */
export function streamFault(stream: readonly JsonValue[]): (RecordFault & { record: number }) | undefined {
  for (const [index, record] of stream.entries()) {
    const found = isJsonObject(record) ? recordFault(record) : ({ fault: 'no-object' } as const)
    if (found !== undefined) return { ...found, record: index }
  }
  return undefined
}

function recordFault(record: JsonObject): RecordFault | undefined {
  if (record.type === 'chunk') {
    if (Object.keys(record).length !== 3) return { fault: 'members', part: 'type, time and chunk' }
    if (!Number.isSafeInteger(record.time)) return { fault: 'time' }
    return isJsonObject(record.chunk) && typeof record.chunk.type === 'string'
      ? undefined
      : { fault: 'chunk-type' }
  }
  const payload =
    typeof record.type === 'string' && Object.hasOwn(RUNS, record.type) ? RUNS[record.type] : undefined
  if (payload === undefined) return { fault: 'type' }
  const members = ['type', 'time0', 'index', 'dt', payload]
  if (payload === 'args') members.push('id')
  if (payload === 'args' && Object.hasOwn(record, 'name')) members.push('name')
  if (
    Object.keys(record).length !== members.length ||
    members.some((member) => !Object.hasOwn(record, member))
  ) {
    return { fault: 'members', part: members.join(', ') }
  }
  const texts = record[payload]
  const gaps = record.dt
  if (typeof record.index !== 'number') return { fault: 'index' }
  if (!Array.isArray(texts) || texts.length === 0 || texts.some((text) => typeof text !== 'string')) {
    return { fault: 'texts', part: payload }
  }
  if (!Array.isArray(gaps) || gaps.length !== texts.length - 1) return { fault: 'gaps' }
  let time = record.time0
  if (!Number.isSafeInteger(time)) return { fault: 'first-time' }
  for (const gap of gaps) {
    time = (time as number) + (gap as number)
    if (!Number.isSafeInteger(gap) || !Number.isSafeInteger(time)) return { fault: 'later-time' }
  }
  return undefined
}

/**
 * What a message of format 2 says otherwise than the stream it embeds; `undefined` when the two agree, and for an empty
 * stream, which says nothing (§11 C10).
 */
export function streamDisagreement(
  stream: readonly JsonValue[],
  data: JsonObject,
): 'content' | 'usage' | 'replay-state' | undefined {
  if (stream.length === 0) return undefined
  const told = new StreamReading(stream)
  const message = objectIn(data.message)
  if (!sameJson(told.content(data.interrupted === true), message.content)) return 'content'
  if (!sameJson(told.usage ?? null, data.usage ?? null)) return 'usage'
  const source = objectIn(message.source)
  return sameJson(told.replayState ?? null, source.replayState ?? null) ? undefined : 'replay-state'
}

/** The block that a record ends; whatever its deltas were, this is the block. */
export function endedBlock(record: JsonValue): number | undefined {
  const chunk = isJsonObject(record) && record.type === 'chunk' ? objectIn(record.chunk) : {}
  const { type, index, block } = chunk
  return type === 'block-end' && typeof index === 'number' && block !== undefined ? index : undefined
}

/** The blocks, usage and end that a stream comes to. */
class StreamReading {
  usage: JsonValue | undefined
  replayState: JsonValue | undefined
  #finish: JsonValue | undefined
  /** Per block index: the finished block, or what its deltas have come to. */
  readonly #blocks = new Map<number, Record<string, JsonValue>>()
  readonly #ended = new Map<number, JsonValue>()

  constructor(stream: readonly JsonValue[]) {
    for (const record of stream) if (isJsonObject(record)) this.#take(record)
  }

  content(interrupted: boolean): readonly JsonValue[] {
    const indexes = [...new Set([...this.#blocks.keys(), ...this.#ended.keys()])].toSorted((a, b) => a - b)
    const blocks = indexes.map((index) => this.#ended.get(index) ?? (this.#blocks.get(index) as JsonObject))
    const cut = isJsonObject(this.#finish) && this.#finish.kind === 'max-tokens'
    return blocks.filter((block) => {
      if (!isJsonObject(block)) return true
      if (interrupted)
        return block.type !== 'tool-call' && typeof block.text === 'string' && block.text.trim() !== ''
      return !(cut && block.type === 'tool-call')
    })
  }

  #take(record: JsonObject): void {
    const { index } = record
    if (record.type === 'chunk') {
      if (isJsonObject(record.chunk)) this.#takeChunk(record.chunk)
    } else if (typeof index === 'number') {
      const texts = record[RUNS[String(record.type)] as string] as readonly string[]
      const kind = String(record.type).replace('-chunks', '')
      this.#extend(index, kind, texts.join(''), record.id, record.name)
    }
  }

  #takeChunk(chunk: JsonObject): void {
    const { index } = chunk
    if (chunk.type === 'usage') this.usage = chunk.usage
    else if (chunk.type === 'finish') {
      this.#finish = chunk.reason
      this.replayState = chunk.replayState
    } else if (typeof index !== 'number') return
    else if (chunk.type === 'block-end' && chunk.block !== undefined) this.#ended.set(index, chunk.block)
    else if (typeof chunk.text === 'string')
      this.#extend(index, String(chunk.type).replace('-delta', ''), chunk.text)
    else if (typeof chunk.argumentsDelta === 'string') {
      this.#extend(index, 'tool-call', chunk.argumentsDelta, chunk.id, chunk.name)
    }
  }

  #extend(index: number, kind: string, text: string, id?: JsonValue, name?: JsonValue): void {
    const isCall = kind === 'tool-call'
    const block =
      this.#blocks.get(index) ??
      (isCall ? { type: kind, id: '', name: '', arguments: '' } : { type: kind, text: '' })
    const member = isCall ? 'arguments' : 'text'
    block[member] = `${block[member]}${text}`
    if (isCall && typeof id === 'string' && id !== '') block.id = id
    if (isCall && typeof name === 'string' && name !== '') block.name = name
    this.#blocks.set(index, block)
  }
}
