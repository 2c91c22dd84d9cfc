/** The content of one record → a JSON value, or a plain name for what is wrong with it. */
import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '../../core/json/json-value.ts'
import type { RecordContent } from '../../storage/record-source.ts'

export interface ParsedValue {
  readonly kind: 'value'
  readonly value: JsonValue
  readonly validUtf8: boolean
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
