import { describe, expect, test } from 'vitest'
import { type DecodedFrame, FrameDecoder } from '../../../src/storage/zstd/frame-decoder.ts'
import { decodeFrameHeader, type FrameHeader } from '../../../src/storage/zstd/frame-header.ts'
import { writeFrame } from '../../../src/storage/zstd/frame-writer.ts'
import { nativeInflater } from '../../../src/storage/zstd/inflater.ts'
import { portableInflater } from '../../../src/storage/zstd/portable-inflater.ts'
import {
  BATCH,
  BLOCKS,
  BLOCKS_COMPRESSED,
  COMPRESSED_BATCH,
  COMPRESSED_HEADER,
  frame,
  HEADER,
} from './frames.ts'

const LIMIT = 1024 * 1024
const raw = (text: string) => ({ raw: Buffer.from(text) })

function headerOf(bytes: Buffer): FrameHeader {
  const read = decodeFrameHeader(bytes)
  if (read.kind !== 'header') throw new Error(read.kind)
  return read.header
}

const native = await nativeInflater()
const inflaters = [
  { name: 'portable', inflate: await portableInflater() },
  ...(native === undefined ? [] : [{ name: 'native', inflate: native }]),
]

describe.each(inflaters)('$name', ({ inflate }) => {
  const decoder = new FrameDecoder(inflate, LIMIT)
  const decode = (bytes: Buffer): DecodedFrame => decoder.decode(bytes, headerOf(bytes))
  const text = (bytes: Buffer): string => {
    const decoded = decode(bytes)
    return decoded.kind === 'bytes' ? decoded.bytes.toString() : decoded.kind
  }
  const prefix = (bytes: Buffer): string => {
    const decoded = decoder.decodePrefix(bytes, headerOf(bytes))
    return decoded.kind === 'bytes' ? decoded.bytes.toString() : decoded.kind
  }

  describe('healthy', () => {
    test.each<[string, Buffer, string]>([
      ['compressed', COMPRESSED_HEADER, HEADER],
      ['compressed with Huffman codes', COMPRESSED_BATCH, BATCH],
      ['several blocks', BLOCKS_COMPRESSED, BLOCKS],
      ['stored', frame({}, raw('a\n')), 'a\n'],
      ['empty', frame({}, raw('')), ''],
      ['empty single segment', frame({ single: true }, raw('')), ''],
      ['without checksum', frame({ checksum: false }, raw('a\n')), 'a\n'],
      ['declared size', frame({ sizeBytes: 4 }, raw('a\n')), 'a\n'],
      ['single segment', frame({ single: true }, raw('a\n')), 'a\n'],
      ['dictionary id zero', frame({ dictionaryBytes: 2 }, raw('a\n')), 'a\n'],
      ['RLE', frame({}, raw('"'), { rle: 0x61, count: 5 }, raw('"\n')), '"aaaaa"\n'],
      ['RLE of a whole block', frame({}, { rle: 0x61, count: 131072 }), 'a'.repeat(131072)],
      ['largest window', frame({ window: 17 << 3 }, raw('a\n')), 'a\n'],
      ['smallest window', frame({ window: 0 }, raw('a\n')), 'a\n'],
    ])('%s', (_, bytes, expected) => {
      expect(text(bytes)).toBe(expected)
    })

    test('what the writer writes', async () => {
      const content = Buffer.from(BATCH.repeat(500))
      expect(text(await writeFrame(content))).toBe(content.toString())
    })
  })

  describe('corrupt', () => {
    const changed = (bytes: Buffer, at: number): Buffer => {
      const copy = Buffer.from(bytes)
      const index = at < 0 ? bytes.length + at : at
      copy[index] = (copy[index] as number) ^ 0x01
      return copy
    }

    test.each<[string, Buffer]>([
      ['checksum', changed(COMPRESSED_BATCH, -1)],
      ['payload', changed(COMPRESSED_BATCH, 100)],
      ['stored payload', changed(frame({}, raw('abc\n')), 10)],
      ['size too large', frame({ sizeBytes: 4, contentSize: 5 }, raw('abc\n'))],
      ['size too small', frame({ sizeBytes: 4, contentSize: 3 }, raw('abc\n'))],
      ['size without checksum', frame({ sizeBytes: 8, contentSize: 5, checksum: false }, raw('abc\n'))],
      ['dictionary', frame({ dictionaryBytes: 1, dictionaryId: 9 }, raw('abc\n'))],
      ['window over what DSH accepts', frame({ window: (17 << 3) + 1 }, raw('abc\n'))],
      ['window of a terabyte', frame({ window: 0xff }, raw('abc\n'))],
      ['no compressed block', frame({}, { type: 2, size: 4, payload: Buffer.from('abc\n') })],
    ])('%s', (_, bytes) => {
      expect(decode(bytes).kind).toBe('corrupt')
    })

    test('Huffman weights that take no bits end', () => {
      const tree = [6, 0xf0, 0x03, 0xff, 0xff, 0xff, 0x01]
      const payload = Buffer.from([0xa2, 0xc0, 0x03, ...tree, 1, 1, 1, 1, 1, 1, 0])
      expect(decode(frame({ checksum: false }, { type: 2, size: payload.length, payload })).kind).toBe(
        'corrupt',
      )
    })
  })

  describe('too large', () => {
    test('by declaration, without decoding', () => {
      const blocks = Array.from({ length: 9 }, () => ({ rle: 0x61, count: 131072 }))
      expect(decode(frame({ sizeBytes: 8 }, ...blocks))).toEqual({ kind: 'too-large', limit: LIMIT })
    })

    test('near miss: more than its blocks can hold is a damaged declaration', () => {
      expect(decode(frame({ sizeBytes: 8, contentSize: 2 ** 50 }, raw('a')))).toMatchObject({
        kind: 'corrupt',
      })
    })

    test('by content, stopping at the limit', () => {
      const blocks = Array.from({ length: 8000 }, () => ({ rle: 0x61, count: 131072 }))
      const bomb = Buffer.concat([frame({ checksum: false }, ...blocks.slice(0, 1))])
      // 32 KB that stand for 1 GB; its checksum is never reached.
      const header = bomb.subarray(0, 6)
      const block = Buffer.from(bomb.subarray(6))
      const open = Buffer.from(block)
      open[0] = (open[0] as number) & 0xfe
      const bytes = Buffer.concat([header, Buffer.alloc(open.length * 7999, open), block])
      const before = process.memoryUsage().arrayBuffers
      expect(decode(bytes)).toEqual({ kind: 'too-large', limit: LIMIT })
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * LIMIT)
      expect(prefix(bytes.subarray(0, -1))).toBe('too-large')
    })

    test('exactly the limit is not too large', () => {
      const blocks = Array.from({ length: 8 }, () => ({ rle: 0x61, count: 131072 }))
      expect(text(frame({}, ...blocks)).length).toBe(LIMIT)
      expect(text(frame({}, ...blocks, raw('a')))).toBe('too-large')
    })
  })

  describe('prefix of a torn frame', () => {
    test('every cut reads as a beginning of the content, growing with the cut', () => {
      let longest = 0
      for (let cut = headerOf(BLOCKS_COMPRESSED).bytes; cut < BLOCKS_COMPRESSED.length; cut++) {
        const read = prefix(BLOCKS_COMPRESSED.subarray(0, cut))
        expect(read.length).toBeGreaterThanOrEqual(longest)
        expect(BLOCKS.startsWith(read)).toBe(true)
        longest = read.length
      }
      expect(longest).toBe(BLOCKS.length)
    })

    test('a raw block is readable up to the cut', () => {
      const bytes = frame({ single: true }, raw('one\ntwo\n'))
      expect(prefix(bytes.subarray(0, bytes.length - 4))).toBe('one\ntwo\n')
      expect(prefix(bytes.subarray(0, bytes.length - 7))).toBe('one\nt')
    })

    test('blocks in front of a damaged one are kept', () => {
      const blocks = [raw('one\n'), raw('two\n'), { type: 2, size: 8, payload: Buffer.alloc(8) }]
      const zeros = Buffer.alloc(40)
      const bytes = frame({ checksum: false }, ...blocks, raw('three\n'))
      expect(prefix(Buffer.concat([bytes.subarray(0, -9), zeros]))).toBe('one\ntwo\n')
    })

    test('a frame that needs a dictionary yields nothing', () => {
      expect(prefix(frame({ dictionaryBytes: 1, dictionaryId: 3 }, raw('one\n')).subarray(0, -4))).toBe('')
    })
  })
})
