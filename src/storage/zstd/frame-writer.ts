/**
 * Bytes → one frame that every zstd decoder reads, with a content checksum as DSH writes it. Without the zstd of
 * Node the content is stored as it is: larger, and just as valid.
 */
import { contentChecksum } from './content-checksum.ts'
import { BLOCK_HEADER_BYTES, CHECKSUM_BYTES, FRAME_MAGIC, LARGEST_BLOCK } from './frame-header.ts'
import { CHECKSUM_FLAG, nodeZstd } from './node-zstd.ts'

export async function writeFrame(content: Uint8Array): Promise<Buffer> {
  const zstd = await nodeZstd()
  if (zstd === undefined) return writeStoredFrame(content)
  return zstd.compress(content, { params: { [CHECKSUM_FLAG]: 1 } })
}

export async function writeStoredFrame(content: Uint8Array): Promise<Buffer> {
  const checksumOf = await contentChecksum()
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(checksumOf(content))
  return Buffer.concat([FRAME_MAGIC, frameHeader(content.length), ...blocks(content), checksum])
}

/** A frame that is cut off after this content. */
export function writeTornFrame(content: Uint8Array): Buffer {
  const missing = 1
  const whole = blocks(Buffer.concat([content, Buffer.alloc(missing)]))
  return Buffer.concat([FRAME_MAGIC, frameHeader(content.length + missing), ...whole]).subarray(0, -missing)
}

/** A frame without content whose checksum is not that of nothing. */
export async function writeCorruptFrame(): Promise<Buffer> {
  const frame = await writeStoredFrame(Buffer.alloc(0))
  frame[frame.length - 1] = ~(frame[frame.length - 1] as number)
  return frame
}

/** Blocks that hold the content as it is. */
function blocks(content: Uint8Array): readonly Uint8Array[] {
  const parts: Uint8Array[] = []
  let at = 0
  do {
    const block = content.subarray(at, at + LARGEST_BLOCK)
    at += block.length
    const head = Buffer.alloc(BLOCK_HEADER_BYTES)
    head.writeUIntLE((block.length << 3) | (at === content.length ? 1 : 0), 0, BLOCK_HEADER_BYTES)
    parts.push(head, block)
  } while (at < content.length)
  return parts
}

/** Content size in eight bytes, with checksum. */
const DESCRIPTOR = 0xc4
const SINGLE_SEGMENT = 0x20
/** Every decoder has to accept a window of this size. */
const LARGEST_SEGMENT = 8 * 1024 * 1024
/** Raw blocks refer to nothing, so the window need only hold a block. */
const BLOCK_WINDOW = 0x38

/** A shorter size would do, but then one wrong bit can make it a window or an empty block, and go unnoticed. */
function frameHeader(contentSize: number): Buffer {
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(contentSize))
  const start = contentSize <= LARGEST_SEGMENT ? [DESCRIPTOR | SINGLE_SEGMENT] : [DESCRIPTOR, BLOCK_WINDOW]
  return Buffer.concat([Buffer.from(start), size])
}
