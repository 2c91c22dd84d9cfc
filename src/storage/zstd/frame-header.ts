/**
 * The parts of a zstd frame that can be read without decompressing: its header and the headers of its blocks
 * (format.md §2.5). Knows nothing of files; what is too short to read is said to be short.
 */
export const FRAME_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Magic, descriptor, window, dictionary id and content size at their longest. */
export const LONGEST_HEADER = 18
export const BLOCK_HEADER_BYTES = 3
export const CHECKSUM_BYTES = 4
/** What a block may at most hold and decompress to. */
export const LARGEST_BLOCK = 128 * 1024
/** The decoders of DSH refuse a larger one. */
export const LARGEST_WINDOW = 2 ** 27

const RESERVED_BITS = 0x18
const SINGLE_SEGMENT = 0x20
const CHECKSUM = 0x04
const DICTIONARY_BYTES = [0, 1, 2, 4] as const

export interface FrameHeader {
  /** Length of the header with the magic. */
  readonly bytes: number
  /** How far back the content may refer; a frame of one segment declares its content size instead. */
  readonly windowSize: number
  /** Absent when the writer did not say. */
  readonly contentSize?: number
  /** 0 means none. */
  readonly dictionaryId: number
  readonly hasChecksum: boolean
}

export type ReadHeader =
  | { readonly kind: 'header'; readonly header: FrameHeader }
  | { readonly kind: 'short' }
  | { readonly kind: 'broken'; readonly problem: string }

/** @param bytes - begins with the frame; more than the header does no harm. */
export function decodeFrameHeader(bytes: Buffer): ReadHeader {
  if (bytes.length < FRAME_MAGIC.length) return { kind: 'short' }
  if (FRAME_MAGIC.compare(bytes, 0, FRAME_MAGIC.length) !== 0)
    return { kind: 'broken', problem: 'invalid frame magic' }
  const descriptor = bytes[4]
  if (descriptor === undefined) return { kind: 'short' }
  if ((descriptor & RESERVED_BITS) !== 0) return { kind: 'broken', problem: 'reserved frame-header bit' }
  const single = (descriptor & SINGLE_SEGMENT) !== 0
  const dictionaryBytes = DICTIONARY_BYTES[descriptor & 3] as number
  const sizeFlag = descriptor >> 6
  const sizeBytes = sizeFlag === 0 ? (single ? 1 : 0) : 1 << sizeFlag
  const dictionaryAt = single ? 5 : 6
  const sizeAt = dictionaryAt + dictionaryBytes
  if (bytes.length < sizeAt + sizeBytes) return { kind: 'short' }
  const declared = littleEndian(bytes, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0)
  const header: FrameHeader = {
    bytes: sizeAt + sizeBytes,
    windowSize: single ? declared : windowOf(bytes[5] as number),
    ...(sizeBytes > 0 && { contentSize: declared }),
    dictionaryId: littleEndian(bytes, dictionaryAt, dictionaryBytes),
    hasChecksum: (descriptor & CHECKSUM) !== 0,
  }
  return { kind: 'header', header }
}

export interface BlockHeader {
  readonly type: 'raw' | 'rle' | 'compressed' | 'reserved'
  readonly last: boolean
  /** Size of the content for `raw` and `rle`, of the payload for `compressed`. */
  readonly size: number
  /** Stored bytes after the header. */
  readonly payload: number
}

const BLOCK_TYPES = ['raw', 'rle', 'compressed', 'reserved'] as const

/** The three bytes at `at` must be there. */
export function decodeBlockHeader(bytes: Buffer, at: number): BlockHeader {
  const value = bytes.readUIntLE(at, BLOCK_HEADER_BYTES)
  const type = BLOCK_TYPES[(value >> 1) & 3] as BlockHeader['type']
  const size = value >> 3
  return { type, last: (value & 1) !== 0, size, payload: type === 'rle' ? 1 : size }
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

/** Loses digits above 2^53, where any size is over every limit anyway. */
function littleEndian(bytes: Buffer, at: number, count: number): number {
  let value = 0
  for (let digit = count - 1; digit >= 0; digit--) value = value * 256 + (bytes[at + digit] as number)
  return value
}
