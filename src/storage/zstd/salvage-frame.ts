/**
 * What a frame holds that no decoder takes. Its blocks lead to its checksum wherever its header went wrong, so the
 * content is found by trying where they begin, and the checksum proves it. Of a frame whose content is damaged itself the
 * lines that are still JSON are taken, and nothing vouches for them.
 */
import { isUtf8 } from 'node:buffer'
import { isJsonObject } from '../../core/json/json-value.ts'
import { bareFrame, blocksOf } from './bare-frame.ts'
import type { ContentChecksum } from './content-checksum.ts'
import {
  BLOCK_HEADER_BYTES,
  CHECKSUM_BYTES,
  decodeBlockHeader,
  type FrameHeader,
  LARGEST_BLOCK,
  LARGEST_WINDOW,
  LONGEST_HEADER,
} from './frame-header.ts'
import type { Inflater } from './inflater.ts'

export interface SalvagedFrame {
  readonly content: Buffer
  /** Length of the frame. */
  readonly end: number
}

/** @param bytes - begin with what is left of the frame; more than the frame does no harm. */
export function salvageFrame(
  bytes: Buffer,
  inflate: Inflater,
  checksumOf: ContentChecksum,
  limit: number,
): SalvagedFrame | undefined {
  for (let start = 0; start <= LONGEST_HEADER; start++) {
    const end = endOfBlocks(bytes, start)
    if (end === undefined) continue
    const header: FrameHeader = {
      bytes: start,
      windowSize: LARGEST_WINDOW,
      dictionaryId: 0,
      hasChecksum: true,
    }
    const bare = bareFrame(bytes, header, blocksOf(bytes, header))
    const inflated = inflate(bare.bytes, bare.header, limit)
    if (inflated.kind === 'bytes' && checksumOf(inflated.bytes) === bytes.readUInt32LE(end))
      return { content: inflated.bytes, end: end + CHECKSUM_BYTES }
  }
  return undefined
}

/** Where the blocks from `start` on end, when they lead to a checksum and an encoder could have made them. */
function endOfBlocks(bytes: Buffer, start: number): number | undefined {
  for (let at = start; at + BLOCK_HEADER_BYTES <= bytes.length; ) {
    const { type, size, payload, last } = decodeBlockHeader(bytes, at)
    if (type === 'reserved' || size > LARGEST_BLOCK || (size === 0 && !last)) return undefined
    at += BLOCK_HEADER_BYTES + payload
    if (last) return at + CHECKSUM_BYTES <= bytes.length ? at : undefined
  }
  return undefined
}

/** Neighbouring lines, with their line feeds, that are JSON objects all or none of them. */
export interface LineSpan {
  readonly areRecords: boolean
  readonly bytes: Buffer
}

const LF = 10

/** What is not ended by a line feed is no record. */
export function lineSpans(content: Buffer): readonly LineSpan[] {
  const spans: LineSpan[] = []
  let first = 0
  let were: boolean | undefined
  for (let at = 0; at < content.length; ) {
    const feed = content.indexOf(LF, at)
    const areRecords = feed !== -1 && isRecord(content.subarray(at, feed))
    if (were !== undefined && were !== areRecords) {
      spans.push({ areRecords: were, bytes: content.subarray(first, at) })
      first = at
    }
    were = areRecords
    at = feed === -1 ? content.length : feed + 1
  }
  if (were !== undefined) spans.push({ areRecords: were, bytes: content.subarray(first) })
  return spans
}

function isRecord(line: Buffer): boolean {
  if (!isUtf8(line)) return false
  try {
    return isJsonObject(JSON.parse(line.toString('utf8')))
  } catch {
    return false
  }
}
