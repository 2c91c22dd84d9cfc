/** The pieces of streamed texts: those that an answer embeds, and those of rows that are a part of one (format.md §2.4). */
import { partsIn, type StreamPart } from '../anonymize/stream-pieces.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'

/** The parts of the streams that a row embeds, in its order, and what each stream consists of. */
export function streamsOf(row: JsonValue): {
  readonly pieces: readonly StreamPart[]
  readonly streams: ReadonlyMap<string, readonly string[]>
} {
  const data = isJsonObject(row) && isJsonObject(row.data) ? row.data : {}
  const pieces = Array.isArray(data.stream)
    ? data.stream.flatMap((record) => (isJsonObject(record) ? partsIn(record) : []))
    : []
  const streams = new Map<string, string[]>()
  for (const { of, text } of pieces) {
    const texts = streams.get(of) ?? []
    texts.push(text)
    streams.set(of, texts)
  }
  return { pieces, streams }
}

/** The pieces of a streamed text that a row of format 0 or 1 holds, and which text it is. */
export interface DeltaPieces {
  readonly stream: string
  readonly texts: readonly string[]
}

const PACKED = /^(?:text|reasoning|tool-call)-chunks$/

/** `undefined` for a row without deltas. */
export function deltasOf(row: JsonValue): DeltaPieces | undefined {
  if (!isJsonObject(row) || typeof row.type !== 'string' || !isJsonObject(row.data)) return undefined
  const { turn, step } = row.data
  const hasDeltas = PACKED.test(row.type) || (row.type === 'assistant/chunk' && isDelta(row.data.chunk))
  const parts = hasDeltas ? partsIn(row.data) : []
  const [first] = parts
  return first === undefined
    ? undefined
    : { stream: JSON.stringify([turn, step, first.of]), texts: parts.map(({ text }) => text) }
}

function isDelta(chunk: JsonValue | undefined): boolean {
  return isJsonObject(chunk) && typeof chunk.type === 'string' && chunk.type.endsWith('-delta')
}

/** Events after which no delta goes on with what was streamed before. */
const ENDS = /^(?:assistant\/message|assistant\/attempt|step\/|turn\/|llm\/|session\/)/

export function endsStreams(row: JsonValue): boolean {
  return isJsonObject(row) && typeof row.type === 'string' && ENDS.test(row.type)
}
