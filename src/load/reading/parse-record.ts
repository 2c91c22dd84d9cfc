/** The content of one record → a JSON value, or a plain name for what is wrong with it. */
import { isUtf8 } from 'node:buffer'
import { seen } from '../../core/json/json-bytes.ts'
import type { JsonValue } from '../../core/json/json-value.ts'
import { type InnerMember, parsePlainJson } from '../../core/json/plain-json.ts'
import { LineContent, type RecordContent } from '../../storage/record-source.ts'

const CR = 0x0d

export interface ParsedValue {
  readonly kind: 'value'
  readonly value: JsonValue
  readonly validUtf8: boolean
  /** It surely hides nothing from anyone who parses it; otherwise `record-anomalies.ts` looks closer. */
  readonly isPlain: boolean
}

export type ParsedRecord = ParsedValue | { readonly kind: 'unreadable'; readonly problem: string }

/** @param inner - a member that its owner walks over. */
export function parseRecord(content: RecordContent, inner?: InnerMember): ParsedRecord {
  switch (content.kind) {
    case 'bytes':
      return parseBytes(content, inner)
    case 'value':
      return { kind: 'value', value: content.value, validUtf8: true, isPlain: true }
    case 'unreadable':
      return content
    case 'oversize':
      return { kind: 'unreadable', problem: 'it is over the limit' }
  }
}

function parseBytes(
  content: Extract<RecordContent, { kind: 'bytes' }>,
  inner: InnerMember | undefined,
): ParsedRecord {
  const plain = plainValue(content, inner)
  const isAscii = plain !== undefined && !seen.longCharacter
  const validUtf8 = isAscii || isUtf8(content.bytes)
  if (plain !== undefined && validUtf8) return { kind: 'value', value: plain, validUtf8, isPlain: true }
  const { bytes } = content
  try {
    // Invalid UTF-8 is decoded as DSH does it, to U+FFFD, and reported by the caller.
    return { kind: 'value', value: JSON.parse(bytes.toString('utf8')), validUtf8, isPlain: false }
  } catch {
    return { kind: 'unreadable', problem: problemOf(bytes) }
  }
}

/** The bytes that the records of a batch are parts of. */
let chunk: Buffer = Buffer.alloc(0)
let view = new DataView(chunk.buffer)

function plainValue(
  content: Extract<RecordContent, { kind: 'bytes' }>,
  inner: InnerMember | undefined,
): JsonValue | undefined {
  const { buffer, byteOffset, length } = content instanceof LineContent ? content.chunk : content.bytes
  const [start, end] = content instanceof LineContent ? [content.start, content.end] : [0, length]
  if (chunk.buffer !== buffer) {
    chunk = Buffer.from(buffer)
    view = new DataView(buffer)
  }
  const first = byteOffset + start
  const last = byteOffset + end
  // The line feed may have been a part of CR LF.
  return parsePlainJson(chunk, view, first, last > first && chunk[last - 1] === CR ? last - 1 : last, inner)
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
