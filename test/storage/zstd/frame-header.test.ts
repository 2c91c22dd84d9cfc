import { describe, expect, test } from 'vitest'
import { decodeFrameHeader } from '../../../src/storage/zstd/frame-header.ts'
import { COMPRESSED_BATCH, frame, type Shape } from './frames.ts'

const body = { raw: Buffer.alloc(300, 'a') }

describe('every header form', () => {
  const shapes: Shape[] = []
  for (const single of [true, false]) {
    for (const dictionaryBytes of [0, 1, 2, 4] as const) {
      for (const sizeBytes of single ? ([1, 2, 4, 8] as const) : ([0, 2, 4, 8] as const)) {
        for (const checksum of [true, false]) shapes.push({ single, dictionaryBytes, sizeBytes, checksum })
      }
    }
  }

  test.each(shapes)('%o', (shape) => {
    const content = shape.sizeBytes === 1 ? { raw: Buffer.alloc(200, 'a') } : body
    const bytes = frame({ ...shape, dictionaryId: shape.dictionaryBytes === 0 ? 0 : 77 }, content)
    const read = decodeFrameHeader(bytes)
    if (read.kind !== 'header') throw new Error(read.kind)
    const { header } = read
    const declared = shape.sizeBytes === 0 ? undefined : content.raw.length
    const length = 5 + (shape.single ? 0 : 1) + (shape.dictionaryBytes ?? 0) + (shape.sizeBytes ?? 0)
    expect(header.bytes).toBe(length)
    expect(header.contentSize).toBe(declared)
    expect(header.windowSize).toBe(shape.single ? declared : 128 * 1024)
    expect(header.dictionaryId).toBe(shape.dictionaryBytes === 0 ? 0 : 77)
    expect(header.hasChecksum).toBe(shape.checksum)
    for (let cut = 0; cut < length; cut++) {
      expect(decodeFrameHeader(bytes.subarray(0, cut)).kind).toBe('short')
    }
  })
})

test('a window descriptor has an exponent and eighths', () => {
  const read = decodeFrameHeader(frame({ window: 0x5b }, body))
  expect(read.kind === 'header' && read.header.windowSize).toBe(2 * 1024 * 1024 * (1 + 3 / 8))
})

test('what a streaming encoder writes declares no size', () => {
  const read = decodeFrameHeader(COMPRESSED_BATCH)
  if (read.kind !== 'header') throw new Error(read.kind)
  expect(read.header).toEqual({ bytes: 6, windowSize: 2 ** 21, dictionaryId: 0, hasChecksum: true })
})

test.each([0x08, 0x10])('the reserved bit %i is not accepted', (bits) => {
  expect(decodeFrameHeader(frame({ bits }, body))).toEqual({
    kind: 'broken',
    problem: 'reserved frame-header bit',
  })
})

test('a skippable frame is no frame of a log', () => {
  const bytes = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0])
  expect(decodeFrameHeader(bytes)).toEqual({ kind: 'broken', problem: 'invalid frame magic' })
})
