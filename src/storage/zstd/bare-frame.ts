/**
 * A frame rebuilt from the blocks of another: no checksum, no declared size, and a window no larger than the blocks
 * can fill. It is for a decoder that reserves the declared window, and for what is left of a torn frame.
 */
import {
  BLOCK_HEADER_BYTES,
  type BlockHeader,
  decodeBlockHeader,
  FRAME_MAGIC,
  type FrameHeader,
  LARGEST_BLOCK,
} from './frame-header.ts'

const SMALLEST_EXPONENT = 10

export interface Block extends BlockHeader {
  readonly offset: number
}

/** The blocks that are whole in `bytes`, which begin with a frame; then as much of a raw block as is there. */
export function blocksOf(bytes: Buffer, header: FrameHeader): Block[] {
  const blocks: Block[] = []
  for (let offset = header.bytes; offset + BLOCK_HEADER_BYTES <= bytes.length; ) {
    const block = decodeBlockHeader(bytes, offset)
    const available = bytes.length - offset - BLOCK_HEADER_BYTES
    if (block.type === 'reserved') break
    if (block.payload > available) {
      // The bytes of a raw block are content as they are, so the decoders of DSH hand them out as well.
      if (block.type === 'raw') blocks.push({ ...block, offset, size: available, payload: available })
      break
    }
    blocks.push({ ...block, offset })
    if (block.last) break
    offset += BLOCK_HEADER_BYTES + block.payload
  }
  return blocks
}

/** Whether no block of a frame breaks the rules by its header alone. @param blocks - those that {@link blocksOf} finds. */
export function keepsRules(bytes: Buffer, header: FrameHeader, blocks: readonly Block[]): boolean {
  const largest = Math.min(LARGEST_BLOCK, header.windowSize)
  const last = blocks.at(-1)
  const offsets = blocks.map(({ offset }) => offset)
  const next = last === undefined ? header.bytes : last.offset + BLOCK_HEADER_BYTES + last.payload
  if (last?.last !== true && next + BLOCK_HEADER_BYTES <= bytes.length) offsets.push(next)
  return offsets.every((offset) => {
    const { type, size } = decodeBlockHeader(bytes, offset)
    return type !== 'reserved' && size <= largest
  })
}

/** No reference reaches farther back in what the portable decoder can read. */
export const FARTHEST_REFERENCE = 2 ** 25

export interface BareFrame {
  readonly bytes: Buffer
  readonly header: FrameHeader
}

/** @param blocks - neighbours in `bytes`, at least one; the last of them ends the frame. */
export function bareFrame(bytes: Buffer, header: FrameHeader, blocks: readonly Block[]): BareFrame {
  const first = blocks[0] as Block
  const last = blocks[blocks.length - 1] as Block
  const exponent = windowExponent(windowNeeded(header, blocks))
  const head = Buffer.from([...FRAME_MAGIC, 0, (exponent - SMALLEST_EXPONENT) << 3])
  const end = last.offset + BLOCK_HEADER_BYTES + last.payload
  const frame = Buffer.concat([head, bytes.subarray(first.offset, end)])
  const type = { raw: 0, rle: 1, compressed: 2, reserved: 3 }[last.type]
  const lastAt = head.length + last.offset - first.offset
  frame.writeUIntLE((last.size << 3) | (type << 1) | 1, lastAt, BLOCK_HEADER_BYTES)
  return {
    bytes: frame,
    header: { bytes: head.length, windowSize: 2 ** exponent, dictionaryId: 0, hasChecksum: false },
  }
}

function windowNeeded(header: FrameHeader, blocks: readonly Block[]): number {
  const largestBlock = Math.min(LARGEST_BLOCK, header.windowSize)
  let content = 0
  for (const { type, size } of blocks) content += type === 'compressed' ? largestBlock : size
  return Math.min(header.windowSize, content, FARTHEST_REFERENCE)
}

function windowExponent(size: number): number {
  return Math.max(SMALLEST_EXPONENT, Math.ceil(Math.log2(size)))
}
