/**
 * The parts of an answer that its row embeds as a stream (format.md §4.1, §11 C10): what stands for them is cut out of
 * what stands for the text they add up to, because a reader of format 2 puts them together and compares.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Piece } from './neutral-json.ts'

export interface StreamPart {
  readonly text: string
  /** Which of the texts of the answer it is a part of. */
  readonly of: string
}

/** @param textFor - what stands for a whole text, or for whole arguments of a call. */
export function streamPieces(
  row: JsonObject,
  textFor: (whole: string, kind: 'text' | 'arguments') => string,
): readonly Piece[] {
  const stream = isJsonObject(row.data) ? row.data.stream : undefined
  if (!Array.isArray(stream)) return []
  const parts = stream.flatMap((record: JsonValue) => (isJsonObject(record) ? partsIn(record) : []))
  const wholes = new Map<string, string>()
  for (const { of, text } of parts) wholes.set(of, (wholes.get(of) ?? '') + text)
  const neutral = new Map<string, string>()
  for (const [of, whole] of wholes)
    neutral.set(of, textFor(whole, of.startsWith('args') ? 'arguments' : 'text'))
  const taken = new Map<string, number>()
  return parts.map(({ of, text }) => {
    const start = taken.get(of) ?? 0
    taken.set(of, start + text.length)
    return { text, neutral: (neutral.get(of) as string).slice(start, start + text.length) }
  })
}

/** The parts that a record of a stream, a packed row or a chunk holds, in their order. */
export function partsIn(record: JsonObject): readonly StreamPart[] {
  const chunk = isJsonObject(record.chunk) ? record.chunk : {}
  const { index } = record.chunk === undefined ? record : chunk
  return [
    ...partsOf(record.texts, `text ${index}`),
    ...partsOf(record.args, `args ${index}`),
    ...partsOf(chunk.text, `text ${index}`),
    ...partsOf(chunk.argumentsDelta, `args ${index}`),
  ]
}

function partsOf(value: JsonValue | undefined, of: string): readonly StreamPart[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter((text) => typeof text === 'string').map((text) => ({ text, of }))
}
