/** The zstd frame that a long value is stored as: one whole frame, and nothing next to it. */
import { blocksOf } from '../zstd/bare-frame.ts'
import { contentChecksum } from '../zstd/content-checksum.ts'
import { type DecodedFrame, FrameDecoder } from '../zstd/frame-decoder.ts'
import {
  BLOCK_HEADER_BYTES,
  CHECKSUM_BYTES,
  decodeBlockHeader,
  decodeFrameHeader,
  type FrameHeader,
} from '../zstd/frame-header.ts'
import { openInflater } from '../zstd/inflater.ts'
import { salvageFrame } from '../zstd/salvage-frame.ts'

export type DataFrame =
  | Exclude<DecodedFrame, { readonly kind: 'corrupt' }>
  /** `content` is what could be read all the same; nothing vouches for it. */
  | { readonly kind: 'corrupt'; readonly problem: string; readonly content?: Buffer }

/** @param most - bytes that the frame may decompress to. */
export type DataFrames = (value: Uint8Array, most: number) => DataFrame

export async function dataFrames(): Promise<DataFrames> {
  const [inflate, checksumOf] = await Promise.all([openInflater(), contentChecksum()])
  return (value, most) => {
    const frame = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    const read = decodeFrameHeader(frame)
    const decoder = new FrameDecoder(inflate, most)
    const decoded = read.kind === 'header' ? wholeFrame(frame, read.header, decoder) : undefined
    if (decoded !== undefined && decoded.kind !== 'corrupt') return decoded
    const problem = decoded?.problem ?? (read.kind === 'broken' ? read.problem : 'it is cut')
    const prefix = read.kind === 'header' ? decoder.decodePrefix(frame, read.header) : undefined
    const content =
      salvageFrame(frame, inflate, checksumOf, most)?.content ??
      (prefix?.kind === 'bytes' ? prefix.bytes : undefined)
    return { kind: 'corrupt', problem, ...(content !== undefined && { content }) }
  }
}

function wholeFrame(frame: Buffer, header: FrameHeader, decoder: FrameDecoder): DecodedFrame {
  const end = endOf(frame, header)
  if (end === undefined) return { kind: 'corrupt', problem: 'it is cut' }
  if (end < frame.length) return { kind: 'corrupt', problem: `${frame.length - end} bytes follow it` }
  return decoder.decode(frame, header)
}

/** Offset after the frame; absent when it is not whole. */
function endOf(bytes: Buffer, header: FrameHeader): number | undefined {
  const last = blocksOf(bytes, header).at(-1)
  if (last === undefined || !last.last) return undefined
  const { payload } = decodeBlockHeader(bytes, last.offset)
  const end = last.offset + BLOCK_HEADER_BYTES + payload + (header.hasChecksum ? CHECKSUM_BYTES : 0)
  return end <= bytes.length ? end : undefined
}
