/**
 * How the text of a log is written when it is not what DSH writes: in another encoding than UTF-8, or in another layout
 * than one record per line. It is told by the first record, and the text can then be written as lines of UTF-8.
 */
import { firstBytes } from '../first-bytes.ts'
import { RecordLines } from './record-lines.ts'

export type Encoding = 'UTF-16LE' | 'UTF-16BE'
export type Layout = 'array' | 'indented' | 'commas'

/** At least one of the two. */
export interface TextForm {
  readonly encoding?: Encoding
  readonly layout?: Layout
}

/** What was seen on the way. */
export interface Rewriting {
  /** The array has no end. */
  isCut: boolean
}

/** Enough to see that the first line is a record. */
const GLANCE_BYTES = 4096
/** The first record has to end in so many bytes. */
const SEARCH_BYTES = 1024 * 1024
const LF = 0x0a
const OPEN_OBJECT = 0x7b
const OPEN_LIST = 0x5b
const CLOSE_OBJECT = 0x7d
const BLANKS = [0x09, LF, 0x0d, 0x20]

/** `undefined` for lines of UTF-8, and for what holds no record. */
export function textFormOf(path: string): TextForm | undefined {
  const glance = firstBytes(path, GLANCE_BYTES)
  const encoding = encodingOf(glance)
  if (encoding === undefined && isOrdinary(glance)) return undefined
  const beginning = firstBytes(path, SEARCH_BYTES)
  const layout = layoutOf(
    encoding === undefined ? withoutMark(beginning) : new Utf16(encoding).push(beginning),
  )
  if (encoding === undefined && layout === undefined) return undefined
  return { ...(encoding !== undefined && { encoding }), ...(layout !== undefined && { layout }) }
}

/** The text as lines of UTF-8. A mark of UTF-8 at the beginning stays, for it is a fault of its own. */
export async function* linesOfForm(
  chunks: AsyncIterable<Buffer>,
  { encoding, layout }: TextForm,
  rewriting: Rewriting,
): AsyncIterable<Buffer> {
  const decoded = encoding === undefined ? chunks : decodedChunks(chunks, encoding)
  if (layout === undefined) {
    yield* decoded
    return
  }
  const lines = new RecordLines()
  let isFirst = true
  for await (const chunk of decoded) {
    const text = isFirst ? withoutMark(chunk) : chunk
    if (text.length < chunk.length) yield BYTE_ORDER_MARK
    isFirst = false
    yield lines.push(text)
  }
  yield lines.push(Buffer.alloc(0), true)
  rewriting.isCut = lines.isOpen
}

async function* decodedChunks(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncIterable<Buffer> {
  const decoder = new Utf16(encoding)
  for await (const chunk of chunks) yield decoder.push(chunk)
  yield decoder.finish()
}

/** UTF-16 → UTF-8. Half a surrogate pair is written as an escape, which is what JSON has for it. */
class Utf16 {
  readonly #isBigEndian: boolean
  #rest: Buffer = Buffer.alloc(0)
  #isFirst = true

  constructor(encoding: Encoding) {
    this.#isBigEndian = encoding === 'UTF-16BE'
  }

  push(chunk: Buffer): Buffer {
    const bytes = Buffer.concat([this.#rest, chunk])
    const length = bytes.length - (bytes.length % 2)
    const units = bytes.subarray(0, length)
    if (this.#isBigEndian) units.swap16()
    let text = units.toString('utf16le')
    if (this.#isFirst && text.startsWith('\ufeff')) text = text.slice(1)
    if (length > 0) this.#isFirst = false
    const held = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    const half = Buffer.from(held, 'utf16le')
    if (this.#isBigEndian) half.swap16()
    this.#rest = Buffer.concat([half, bytes.subarray(length)])
    return utf8Of(text.slice(0, text.length - held.length))
  }

  /** What was cut off inside of a character. */
  finish(): Buffer {
    return this.#rest.length === 0 ? this.#rest : Buffer.from('\ufffd')
  }
}

function utf8Of(text: string): Buffer {
  return Buffer.from(text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`))
}

function encodingOf(bytes: Buffer): Encoding | undefined {
  const [first, second, third, fourth] = bytes
  if (first === 0xff && second === 0xfe) return 'UTF-16LE'
  if (first === 0xfe && second === 0xff) return 'UTF-16BE'
  if (second === 0 && fourth === 0 && isOpening(first)) return 'UTF-16LE'
  return first === 0 && third === 0 && isOpening(second) ? 'UTF-16BE' : undefined
}

/** Whether the first line is a record, or nothing that could be one. */
function isOrdinary(bytes: Buffer): boolean {
  const text = withoutMark(bytes)
  const first = text.find((byte) => !BLANKS.includes(byte))
  if (first !== OPEN_OBJECT) return first !== OPEN_LIST
  const end = text.indexOf(LF)
  return end !== -1 && text.subarray(0, end).findLast((byte) => !BLANKS.includes(byte)) === CLOSE_OBJECT
}

function layoutOf(text: Buffer): Layout | undefined {
  const lines = new RecordLines()
  const made = lines.push(text)
  const end = made.indexOf(LF)
  if (end === -1 || !isRecord(made.toString('utf8', 0, end))) return undefined
  if (lines.isArray) return 'array'
  if (lines.isOverLines) return 'indented'
  return lines.hasCommas ? 'commas' : undefined
}

function isRecord(line: string): boolean {
  try {
    const { type } = JSON.parse(line)
    return typeof type === 'string'
  } catch {
    return false
  }
}

function isOpening(byte: number | undefined): boolean {
  return byte === OPEN_OBJECT || byte === OPEN_LIST
}

/** The byte order mark that some editors put at the beginning of a text. No line of a log begins with it. */
export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Whether a text begins with the mark. */
export function hasMark(bytes: Buffer): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
}

export function withoutMark(bytes: Buffer): Buffer {
  return hasMark(bytes) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes
}
