/** The content of one record → a JSON value, or a plain name for what is wrong with it. */
import { isUtf8 } from 'node:buffer'
import { SOUND_STREAM, STREAM_MEMBER } from '../../core/event/sound-stream.ts'
import { NOT } from '../../core/json/json-bytes.ts'
import type { JsonValue } from '../../core/json/json-value.ts'
import { inner, isPlainJson } from '../../core/json/plain-json.ts'
import type { RecordContent } from '../../storage/record-source.ts'

export interface ParsedValue {
  readonly kind: 'value'
  readonly value: JsonValue
  readonly validUtf8: boolean
  /** The text is known to hide nothing (`record-anomalies.ts`). */
  readonly isPlain?: boolean
}

export type ParsedRecord = ParsedValue | { readonly kind: 'unreadable'; readonly problem: string }

export function parseRecord(content: RecordContent): ParsedRecord {
  switch (content.kind) {
    case 'bytes':
      return parseBytes(content.bytes)
    case 'value':
      return { kind: 'value', value: content.value, validUtf8: true }
    case 'unreadable':
      return content
    case 'oversize':
      return { kind: 'unreadable', problem: 'it is over the limit' }
  }
}

/**
 * The same without the stream of an answer: {@link SOUND_STREAM} is in its place where its bytes show that readers of
 * formats 3 and 4 take it.
 */
export function parseWithoutStream(content: RecordContent): ParsedRecord {
  if (content.kind !== 'bytes') return parseRecord(content)
  const { bytes } = content
  if (!isUtf8(bytes) || !isPlainJson(bytes, STREAM_MEMBER)) return parseBytes(bytes)
  const { start, end } = inner
  if (start === NOT)
    return { kind: 'value', value: JSON.parse(bytes.toString('utf8')), validUtf8: true, isPlain: true }
  const text = `${bytes.toString('utf8', 0, start)}[]${bytes.toString('utf8', end)}`
  const value = JSON.parse(text)
  value.data.stream = SOUND_STREAM
  return { kind: 'value', value, validUtf8: true, isPlain: true }
}

function parseBytes(bytes: Buffer): ParsedRecord {
  try {
    // Invalid UTF-8 is decoded as DSH does it, to U+FFFD, and reported by the caller.
    return { kind: 'value', value: JSON.parse(bytes.toString('utf8')), validUtf8: isUtf8(bytes) }
  } catch {
    return { kind: 'unreadable', problem: problemOf(bytes) }
  }
}

function problemOf(bytes: Buffer): string {
  let nul = 0
  let blank = 0
  for (const byte of bytes) {
    if (byte === 0) nul++
    else if (byte === 0x20 || byte === 0x09 || byte === 0x0d) blank++
  }
  if (blank === bytes.length) return 'it is blank'
  if (nul === bytes.length) return `it is nothing but ${nul} NUL bytes`
  if (nul > 0) return `it holds ${nul} NUL bytes`
  return bytes[0] === 0x7b ? 'its JSON is broken' : 'it is not JSON'
}
