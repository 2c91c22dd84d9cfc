/** The zstd frame that a long value is stored as: one whole frame, and nothing next to it. */
import { blocksOf } from '../zstd/bare-frame.ts'
import { type DecodedFrame, FrameDecoder } from '../zstd/frame-decoder.ts'
import {
  BLOCK_HEADER_BYTES,
  CHECKSUM_BYTES,
  decodeBlockHeader,
  decodeFrameHeader,
  type FrameHeader,
} from '../zstd/frame-header.ts'
import { openInflater } from '../zstd/inflater.ts'

/** @param most - bytes that the frame may decompress to. */
export type DataFrames = (value: Uint8Array, most: number) => DecodedFrame

export async function dataFrames(): Promise<DataFrames> {
  const inflate = await openInflater()
  return (value, most) => {
    const frame = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    const read = decodeFrameHeader(frame)
    if (read.kind === 'broken') return { kind: 'corrupt', problem: read.problem }
    if (read.kind === 'short') return { kind: 'corrupt', problem: 'it is cut' }
    const end = endOf(frame, read.header)
    if (end === undefined) return { kind: 'corrupt', problem: 'it is cut' }
    if (end < frame.length) return { kind: 'corrupt', problem: `${frame.length - end} bytes follow it` }
    return new FrameDecoder(inflate, most).decode(frame, read.header)
  }
}

/** Offset after the frame; absent when it is not whole. */
function endOf(bytes: Buffer, header: FrameHeader): number | undefined {
  const last = blocksOf(bytes, header).at(-1)
  if (last === undefined || !last.last) return undefined
  const { payload } = decodeBlockHeader(bytes, last.offset)
  const end = last.offset + BLOCK_HEADER_BYTES + payload + (header.hasChecksum ? CHECKSUM_BYTES : 0)
  return end <= bytes.length ? end : undefined
}
