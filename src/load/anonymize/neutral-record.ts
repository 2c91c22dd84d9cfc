/**
 * The bytes of one record → as many without its content (`core/anonymize`). A line that does not parse is taken apart
 * as the session reader would take it apart, so that what can be saved of it can still be saved.
 */
import { isUtf8 } from 'node:buffer'
import { HEADER_SHAPE, rowShape } from '../../core/anonymize/event-shapes.ts'
import {
  HEADER_PATH,
  type Neutralizer,
  neutralArguments,
  neutralJson,
  type Root,
} from '../../core/anonymize/neutral-json.ts'
import { OPAQUE } from '../../core/anonymize/shape.ts'
import { streamPieces } from '../../core/anonymize/stream-pieces.ts'
import { looksLikeHeader } from '../../core/event/decode-header.ts'
import { isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import { BYTE_ORDER_MARK, hasMark } from '../../storage/jsonl/text-form.ts'
import { mendLine, mendValue, withoutMarks, withoutNuls } from '../reading/mend-line.ts'
import { parseRecord } from '../reading/parse-record.ts'

export function parsedBytes(bytes: Buffer, value: JsonValue, using: Neutralizer): Buffer {
  return neutralBytes(bytes, rootOf(value, using), using)
}

function rootOf(value: JsonValue, using: Neutralizer): Root {
  if (looksLikeHeader(value)) return { shape: HEADER_SHAPE, path: HEADER_PATH }
  if (!isJsonObject(value)) return { shape: OPAQUE, path: '' }
  const type = typeof value.type === 'string' ? value.type : undefined
  const pieces = streamPieces(value, (whole, kind) =>
    kind === 'text' ? using.names.textFor(whole) : neutralArguments(whole, using),
  )
  return { shape: rowShape(type), path: type ?? '', pieces }
}

/** What a line that does not parse says of its kind at its very beginning. */
const BEGINNING = /^\s*\{\s*"type"\s*:\s*"([^"\\]*)"/

function brokenRoot(bytes: Buffer): Root {
  const [, type] = BEGINNING.exec(bytes.toString('latin1', 0, 256)) ?? []
  return type === 'session'
    ? { shape: HEADER_SHAPE, path: HEADER_PATH }
    : { shape: rowShape(type), path: type ?? '' }
}

export function brokenLine(bytes: Buffer, using: Neutralizer): Buffer {
  const [start, end] = padding(bytes)
  const content = bytes.subarray(start, end)
  return Buffer.concat([bytes.subarray(0, start), brokenContent(content, using), bytes.subarray(end)])
}

/** Where the content begins and ends within a byte order mark and NUL bytes. */
function padding(bytes: Buffer): readonly [start: number, end: number] {
  const from = hasMark(bytes) ? BYTE_ORDER_MARK.length : 0
  const content = withoutNuls(bytes.subarray(from))
  const start = content.byteOffset - bytes.byteOffset
  return [start, start + content.length]
}

function brokenContent(bytes: Buffer, using: Neutralizer): Buffer {
  const whole = parseRecord({ kind: 'bytes', bytes })
  if (whole.kind === 'value' && !Array.isArray(whole.value))
    return (
      (typeof whole.value === 'string' ? rowInString(whole.value, bytes, using) : undefined) ??
      parsedBytes(bytes, whole.value, using)
    )
  const parts: Buffer[] = []
  let end = 0
  for (const { line, value } of mendLine(bytes)?.pieces ?? []) {
    const start = bytes.indexOf(line, end)
    // Blanks between its tokens are not in the piece.
    if (start === -1) continue
    const before = bytes.subarray(end, start)
    parts.push(neutralBytes(before, brokenRoot(before), using), parsedBytes(line, value, using))
    end = start + line.length
  }
  const rest = bytes.subarray(end)
  return Buffer.concat([...parts, neutralBytes(rest, brokenRoot(rest), using)])
}

function rowInString(text: string, bytes: Buffer, using: Neutralizer): Buffer | undefined {
  const content = Buffer.from(text)
  const parsed = parseRecord({ kind: 'bytes', bytes: content })
  const inner = parsed.kind === 'value' ? parsed.value : undefined
  const [piece] = mendValue(text, bytes)?.pieces ?? []
  const row =
    typeof inner === 'string'
      ? rowInString(inner, content, using)
      : piece && parsedBytes(content, piece.value, using)
  const neutral = row && Buffer.from(stringifyJson(row.toString('utf8')))
  return neutral?.length === bytes.length ? neutral : undefined
}

/** Lines that are one record, each with what belongs between it and the next; without that when they are given back. */
export function joinedLines(
  lines: readonly Buffer[],
  joined: readonly Buffer[],
  using: Neutralizer,
): readonly Buffer[] | undefined {
  const text = Buffer.concat(joined)
  const record = withoutMarks(text)
  const parsed = parseRecord({ kind: 'bytes', bytes: record })
  if (parsed.kind !== 'value' || !isJsonObject(parsed.value)) return undefined
  const start = record.byteOffset - text.byteOffset
  const neutral = Buffer.concat([
    text.subarray(0, start),
    parsedBytes(record, parsed.value, using),
    text.subarray(start + record.length),
  ])
  let at = 0
  return lines.map((line, index) => {
    const own = neutral.subarray(at, at + line.length)
    at += joined[index]?.length ?? 0
    return own
  })
}

function neutralBytes(bytes: Buffer, root: Root, using: Neutralizer): Buffer {
  // Bytes that are no UTF-8 are taken one by one; none of those above ASCII stays.
  if (!isUtf8(bytes)) {
    const neutral = neutralJson(bytes.toString('latin1').replace(HIGH_BYTES, NO_UTF8), root, using)
    return Buffer.from(neutral.replace(HIGH_BYTES, NO_UTF8), 'latin1')
  }
  return Buffer.from(neutralJson(bytes.toString('utf8'), root, using))
}

const HIGH_BYTES = /[\u0080-\uffff]/g
const NO_UTF8 = '\u00ff'
