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
import { BYTE_ORDER_MARK, hasMark } from '../../storage/jsonl/text-form.ts'
import { joinLines, mendLine, withoutNuls } from '../reading/mend-line.ts'
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
  if (whole.kind === 'value') return parsedBytes(bytes, whole.value, using)
  // The rows that can be saved of a splice are at its end; what is before them may be half a row.
  const { pieces = [] } = mendLine(bytes) ?? {}
  const saved = pieces.reduce((sum, { line }) => sum + line.length, 0)
  const head = bytes.subarray(0, bytes.length - saved)
  return Buffer.concat([
    neutralBytes(head, brokenRoot(head), using),
    ...pieces.map(({ line, value }) => parsedBytes(line, value, using)),
  ])
}

/** Two lines that are one record with a raw line feed inside a string. */
export function joinedLines(
  first: Buffer,
  second: Buffer,
  using: Neutralizer,
): readonly [Buffer, Buffer] | undefined {
  const joined = joinLines(first, second)
  if (joined === undefined || !isJsonObject(joined.value)) return undefined
  const neutral = parsedBytes(joined.line, joined.value, using)
  return [neutral.subarray(0, first.length), neutral.subarray(neutral.length - second.length)]
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
