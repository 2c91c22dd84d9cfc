import * as zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { FrameDecoder } from '../../../src/storage/zstd/frame-decoder.ts'
import { decodeFrameHeader } from '../../../src/storage/zstd/frame-header.ts'
import { writeFrame, writeStoredFrame } from '../../../src/storage/zstd/frame-writer.ts'

const decoder = await FrameDecoder.open(64 * 1024 * 1024)

describe.each([
  ['compressed where possible', writeFrame],
  ['stored', writeStoredFrame],
])('%s', (_, write) => {
  test.each([0, 1, 200, 255, 256, 65_791, 65_792, 131_071, 131_072, 131_073, 262_144, 9_000_000])(
    '%i bytes come back, with checksum and size',
    async (length) => {
      const content = Buffer.alloc(length, 'some text that repeats, ')
      const frame = await write(content)
      const read = decodeFrameHeader(frame)
      if (read.kind !== 'header') throw new Error(read.kind)
      expect(read.header.hasChecksum).toBe(true)
      expect(read.header.contentSize).toBe(length)
      const decoded = decoder.decode(frame, read.header)
      if (decoded.kind !== 'bytes') throw new Error(decoded.kind)
      expect(decoded.bytes.equals(content)).toBe(true)
      const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer }
      if (zstdDecompressSync !== undefined) expect(zstdDecompressSync(frame).equals(content)).toBe(true)
    },
  )
})
