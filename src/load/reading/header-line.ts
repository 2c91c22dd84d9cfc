/**
 * The first record of a file → the header, or what the file is instead. A broken first line is not yet a verdict:
 * whether there is a log after it only the rest can tell.
 */
import { decodeHeader, looksLikeHeader } from '../../core/event/decode-header.ts'
import type { SessionHeader } from '../../core/event/session-event.ts'
import type { Finding } from '../../core/findings/finding.ts'
import type { JsonObject, JsonValue } from '../../core/json/json-value.ts'
import { hasMark, withoutMark } from '../../storage/jsonl/text-form.ts'
import type { RecordContent, StoredRecord } from '../../storage/record-source.ts'
import { damageExcerpt } from './damage-excerpt.ts'
import { lookAlikeOf } from './look-alikes.ts'
import { parseRecord } from './parse-record.ts'
import { recordAnomalies } from './record-anomalies.ts'
import { rowIn } from './stored-row.ts'

export type HeaderLine =
  | {
      readonly kind: 'header'
      readonly header: SessionHeader | undefined
      /** The header as it is stored, with whatever members it has. */
      readonly stored: JsonObject
      readonly findings: readonly Finding[]
    }
  /** No header. `value` is what the line holds instead, when it is JSON: it may be the first event. */
  | {
      readonly kind: 'broken'
      readonly finding: Finding
      readonly value?: JsonValue
      readonly isLog: boolean
    }

const OPENING_BRACE = 0x7b

export function hasByteOrderMark(content: RecordContent): boolean {
  return content.kind === 'bytes' && hasMark(content.bytes)
}

export function readHeaderLine(record: StoredRecord): HeaderLine {
  const { origin } = record
  const content = withoutByteOrderMark(record.content)
  const parsed = parseRecord(content)
  const nuls = record.ended ? 0 : nulsIn(content)
  if (nuls > 0)
    return {
      kind: 'broken',
      finding: { code: 'bytes/only-nuls', origin, args: { bytes: nuls } },
      isLog: true,
    }
  if (parsed.kind === 'unreadable' || !record.ended) {
    // A torn first line that begins like a header is a header that was being written.
    const torn = !record.ended && content.kind === 'bytes' && content.bytes[0] === OPENING_BRACE
    const packed = content.kind === 'bytes' ? packedAs(content.bytes) : undefined
    const problem =
      packed !== undefined
        ? `it is ${packed}: unpack it first`
        : torn
          ? 'it is torn'
          : parsed.kind === 'unreadable'
            ? parsed.problem
            : 'it has no line feed'
    const excerpt = damageExcerpt(content)
    const finding: Finding = {
      code: 'header/missing',
      origin,
      args: { problem },
      ...(excerpt && { excerpt }),
    }
    return { kind: 'broken', finding, isLog: torn }
  }
  const { value } = parsed
  if (looksLikeHeader(value)) {
    const { header, findings } = decodeHeader(value, origin)
    const decoding: Finding[] = parsed.validUtf8 ? [] : [{ code: 'bytes/invalid-utf8', origin, args: {} }]
    for (const { code, evidence } of recordAnomalies(content, parsed)) {
      decoding.push({ code, origin, args: { evidence } })
    }
    return { kind: 'header', header, stored: value, findings: [...decoding, ...findings] }
  }
  const dialect = lookAlikeOf(value)
  if (dialect === 'stream-json') {
    return { kind: 'broken', finding: { code: 'format/dialect', origin, args: { dialect } }, isLog: true }
  }
  const args = { problem: 'it is another JSON value' }
  return { kind: 'broken', finding: { code: 'header/missing', origin, args }, value, isLog: false }
}

/** How many NUL bytes the content is, when it is nothing else. */
export function nulsIn(content: RecordContent): number {
  const isNuls = content.kind === 'bytes' && content.bytes.every((byte) => byte === 0)
  return isNuls ? content.bytes.length : 0
}

/** Whether a later line is the header that the first one should have been. */
export function isLateHeader(record: StoredRecord): boolean {
  const value = record.ended ? rowIn(record)?.value : undefined
  return value !== undefined && looksLikeHeader(value)
}

export function withoutByteOrderMark(content: RecordContent): RecordContent {
  if (content.kind !== 'bytes' || !hasByteOrderMark(content)) return content
  return { kind: 'bytes', bytes: withoutMark(content.bytes) }
}

/** What a file is that holds no log, by how it begins: it may be packed, and the log in it. */
const PACKED: readonly (readonly [name: string, start: string, at?: number])[] = [
  ['a ZIP archive', 'PK\x03\x04'],
  ['a 7-Zip archive', "7z\xbc\xaf'\x1c"],
  ['a tar archive', 'ustar', 257],
  ['an xz file', '\xfd7zXZ\0'],
  ['a bzip2 file', 'BZh'],
  ['an LZ4 file', '\x04"M\x18'],
]

/** @param bytes - the first line of the file. */
function packedAs(bytes: Buffer): string | undefined {
  const [name] =
    PACKED.find(([, start, at = 0]) => bytes.toString('latin1', at, at + start.length) === start) ?? []
  return name
}
