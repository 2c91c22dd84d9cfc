/**
 * Frames for the tests: by hand with any header the format allows, with the project's own writer, and two that a
 * streaming zstd encoder compressed (window of 2 MiB, no declared size, checksum), as DSH writes them.
 */
import { contentChecksum } from '../../../src/storage/zstd/content-checksum.ts'
import { writeStoredFrame } from '../../../src/storage/zstd/frame-writer.ts'

export const HEADER = '{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}\n'

export function eventLine(seq: number, text = 'x'): string {
  return `${JSON.stringify({ type: 'note', seq, time: 1, data: { text } })}\n`
}

/** One stored frame per batch. */
export async function storedLog(...batches: readonly (string | Buffer)[]): Promise<Buffer> {
  return Buffer.concat(await Promise.all(batches.map((batch) => writeStoredFrame(Buffer.from(batch)))))
}

export interface Shape {
  readonly single?: boolean
  readonly window?: number
  readonly dictionaryBytes?: 0 | 1 | 2 | 4
  readonly dictionaryId?: number
  /** Length of the content size field; 1 needs a single segment. */
  readonly sizeBytes?: 0 | 1 | 2 | 4 | 8
  readonly contentSize?: number
  readonly checksum?: boolean
  /** Or-ed to the descriptor. */
  readonly bits?: number
}

export type BlockShape =
  | { readonly raw: Uint8Array }
  | { readonly rle: number; readonly count: number }
  | { readonly type: number; readonly size: number; readonly payload: Uint8Array }

const checksumOf = await contentChecksum()

export function frame(shape: Shape, ...blocks: readonly BlockShape[]): Buffer {
  const { single = false, window = 0x38, dictionaryBytes = 0, dictionaryId = 0, checksum = true } = shape
  const content = contentOf(blocks)
  const { sizeBytes = single ? 1 : 0, contentSize = content.length } = shape
  const sizeFlag = sizeBytes <= 1 ? 0 : Math.log2(sizeBytes)
  const dictionaryFlag = [0, 1, 2, 4].indexOf(dictionaryBytes)
  const descriptor =
    (sizeFlag << 6) | (single ? 0x20 : 0) | (checksum ? 4 : 0) | dictionaryFlag | (shape.bits ?? 0)
  const parts: Uint8Array[] = [
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, descriptor]),
    single ? Buffer.alloc(0) : Buffer.from([window]),
    littleEndian(dictionaryId, dictionaryBytes),
    littleEndian(sizeBytes === 2 ? contentSize - 256 : contentSize, sizeBytes),
  ]
  for (const [index, block] of blocks.entries()) parts.push(...stored(block, index === blocks.length - 1))
  if (checksum) parts.push(littleEndian(checksumOf(content), 4))
  return Buffer.concat(parts)
}

function contentOf(blocks: readonly BlockShape[]): Buffer {
  return Buffer.concat(
    blocks.map((block) => {
      if ('raw' in block) return block.raw
      return 'rle' in block ? Buffer.alloc(block.count, block.rle) : Buffer.alloc(0)
    }),
  )
}

function stored(block: BlockShape, last: boolean): Uint8Array[] {
  if ('raw' in block) return [blockHeader(block.raw.length, 0, last), block.raw]
  if ('rle' in block) return [blockHeader(block.count, 1, last), Buffer.from([block.rle])]
  return [blockHeader(block.size, block.type, last), block.payload]
}

function blockHeader(size: number, type: number, last: boolean): Buffer {
  return littleEndian(size * 8 + type * 2 + (last ? 1 : 0), 3)
}

function littleEndian(value: number, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  for (let at = 0, rest = value; at < count; at++, rest = Math.floor(rest / 256)) bytes[at] = rest % 256
  return bytes
}

/** `HEADER`, compressed. */
export const COMPRESSED_HEADER = Buffer.from(
  'KLUv/QRYHQIAUsQOFZC5DZiIso0ITKCJx8x4/eRwbCy3n8BizsaqDyjlnuLH0RacV8Dv+SJsVp8xbebWEZtRStWrz1fJWgkBACqUJsTDnoQ=',
  'base64',
)

/** Content of `COMPRESSED_BATCH`. */
export const BATCH = Array.from({ length: 12 }, (_, seq) => {
  const text = ['The quick brown fox', ' jumps over', ' the lazy dog. '][seq % 3]
  const chunk = { type: 'text-delta', index: 0, text }
  const data = { turn: 1, step: 1, chunk }
  return `${JSON.stringify({ type: 'assistant/chunk', seq, time: 1700000000000 + seq * 37, data })}\n`
}).join('')

export const COMPRESSED_BATCH = Buffer.from(
  'KLUv/QRYXQcAUgsmIkBprAMI6m+YEOKRInQ0Nql+RaRj7NpTjaTym3ClcgwQXhEH27Z2raUYFJUoiGpKKQOSLJKwZbu7VOCAgcpYeAnlpVlTDicwOhvFg6BtLUAURYcYA5UKjFOgiEN8FsoLwd0bYoihjE9/nWAY0BC3a7jn07pL5+k33F8/+HS0dWdF7KfDfcHz6Qj5LIeBlq9nnPPdnRtGvxEiIFCTpKLiOU1AAsXkJOFwGlkEitBJ2E8dT+zpePdKp3d/Ory7p+PdK53pXX/PcNGxd7l8FEbxCTPxzIu2JLJxBQrRTpYRuBQR4oB0GzdRBoo9IrM=',
  'base64',
)

/** Content of `BLOCKS_COMPRESSED`, ten lines to a block. */
export const BLOCKS = Array.from({ length: 40 }, (_, seq) => {
  const text = `word ${(seq * 7919) % 1000} and again`
  return `${JSON.stringify({ type: 'note', seq, time: 1700000000000 + seq * seq, text })}\n`
}).join('')

export const BLOCKS_COMPRESSED = Buffer.from(
  'KLUv/QRY7AQA8kYXGoCpbeBfJOIjgxlCA4wIHAmt7G6foNLNYYcBx+hSI8XchJidnLe42qpIl3cvWbkxYUrU13eAxZFjBVYxkFVOMQrJ4eoNwdrN4VNngqPdHHUCM9yctQS5Ohsk2hUBHQDgGEBGkDDgOCA3kAjgDCAjSBhwGugaSARwBpARJAw4DsgNJAI4A+QDNAOOA7IAfZngDJAPaIYSfs4GyPwDAPQCezExMTkxMjEwMTE0MjExNjk0MTE5ODYxMjc4MTI1NzAxMjg2MjEzMjU0MTM2NDYfAEDGoENzImEA2UDXyolEACQGHZITCQPIBro2TiQCIBEgTJxIBEBi0GE4kTCAbKBr4EQivgnygg7BiYQBZANdfxOJ7U2QCBDGTSRCgyusAwD0AnsyNDM4MjQ0MjkyNDgxMjUyMTMyNTc1MjY5NzI2Nzg5MjcyODEyNzg3MzI4NDY1HwBAxqBDkDCAbKBrIBEAiUGHIGEA2UDXQCIAEgHCzIlEEJfJCzoECQPIBroGEnFOkBcgCBIGkA10DSQCIBEgDCRCgyvcAwBUA3szOTU3Mzk2NDgzMTAyNDAzMTA4MzIzMTE1MjQzMTIxNjMxMjkzMTM2MzE0NDkyMzE1Mjg0HwBAxqAb4F2AxKCb47J3UAHJALoB3gFkAMgA7wIkBggCjzknyAY6BzwBkBh0A7wLkBh0A7wLkBh0CBIGkA0gApKjARsBAABgoHAP',
  'base64',
)
