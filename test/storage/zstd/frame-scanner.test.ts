import { describe, expect, onTestFinished, test } from 'vitest'
import { FileWindow } from '../../../src/storage/zstd/file-window.ts'
import { FRAME_MAGIC } from '../../../src/storage/zstd/frame-header.ts'
import { FrameScanner, type Span } from '../../../src/storage/zstd/frame-scanner.ts'
import { tempFile } from '../../support/temp-dir.ts'
import { COMPRESSED_BATCH, COMPRESSED_HEADER, eventLine, frame, HEADER, storedLog } from './frames.ts'

async function scannerOf(bytes: Buffer): Promise<FrameScanner> {
  const file = await FileWindow.open(tempFile(bytes, 'session.jsonl.zstd'))
  onTestFinished(() => file.close())
  return new FrameScanner(file)
}

async function spansOf(bytes: Buffer): Promise<Span[]> {
  const scanner = await scannerOf(bytes)
  const spans: Span[] = []
  for (let span = await scanner.next(); span !== undefined; span = await scanner.next()) spans.push(span)
  return spans
}

/** `frame 0-80`, so that a whole scan reads as one list. */
async function scan(...parts: readonly Buffer[]): Promise<string[]> {
  const spans = await spansOf(Buffer.concat(parts))
  return spans.map(({ kind, offset, end }) => `${kind} ${offset}-${end}`)
}

const raw = (text: string | Buffer) => ({ raw: Buffer.from(text) })
const first = frame({}, raw(HEADER))
const second = frame({}, raw(eventLine(0)), { rle: 0x20, count: 50 }, raw('\n'))

test('an empty file has no frames', async () => {
  expect(await scan(Buffer.alloc(0))).toEqual([])
})

test('frames of all kinds follow each other', async () => {
  const exotic = frame({ dictionaryBytes: 4, sizeBytes: 8, checksum: false }, raw('{}\n'))
  const single = frame({ single: true }, raw('{}\n'))
  const parts = [COMPRESSED_HEADER, second, exotic, single, COMPRESSED_BATCH]
  let end = 0
  const expected = parts.map((part) => {
    const offset = end
    end += part.length
    return `frame ${offset}-${end}`
  })
  expect(await scan(...parts)).toEqual(expected)
  expect((await spansOf(Buffer.concat(parts))).map((span) => 'index' in span && span.index)).toEqual([
    0, 1, 2, 3, 4,
  ])
})

describe('torn', () => {
  test('every cut inside the last frame tears it at its first byte', async () => {
    for (const last of [second, COMPRESSED_BATCH]) {
      for (let cut = 1; cut < last.length; cut++) {
        expect(await scan(first, last.subarray(0, cut))).toEqual([
          `frame 0-${first.length}`,
          `torn ${first.length}-${first.length + cut}`,
        ])
      }
    }
  })

  test.each([1, 2, 3])('%i stray bytes are torn, whatever they are', async (count) => {
    expect(await scan(first, Buffer.alloc(count, 0xee))).toEqual([
      `frame 0-${first.length}`,
      `torn ${first.length}-${first.length + count}`,
    ])
  })
})

describe('damage', () => {
  const gap = async (damaged: Buffer): Promise<Span | undefined> => (await spansOf(damaged))[1]

  test('four stray bytes are no frame', async () => {
    expect(await gap(Buffer.concat([first, Buffer.alloc(4, 0xee)]))).toEqual({
      kind: 'gap',
      offset: first.length,
      end: first.length + 4,
      problem: `invalid frame magic at byte ${first.length}`,
    })
  })

  test('a skippable frame is no frame', async () => {
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])
    expect(await scan(first, skippable, second)).toEqual([
      `frame 0-${first.length}`,
      `gap ${first.length}-${first.length + 12}`,
      `frame ${first.length + 12}-${first.length + 12 + second.length}`,
    ])
  })

  test.each([
    ['reserved frame-header bit', frame({ bits: 8 }, raw('{}\n'))],
    ['reserved block type', frame({}, { type: 3, size: 3, payload: Buffer.from('{}\n') })],
    ['oversized block', frame({}, { type: 0, size: 200_000, payload: Buffer.alloc(200_000) })],
  ])('%s', async (problem, damaged) => {
    const end = first.length + damaged.length
    expect(await gap(Buffer.concat([first, damaged, second]))).toEqual({
      kind: 'gap',
      offset: first.length,
      end,
      problem: `${problem} at byte ${first.length}`,
    })
    expect((await scan(first, damaged, second))[2]).toBe(`frame ${end}-${end + second.length}`)
  })

  test('two places of damage cost no frame between them', async () => {
    const junk = Buffer.alloc(100, 0xee)
    const spans = await scan(first, junk, second, junk, first)
    expect(spans.map((span) => span.split(' ')[0])).toEqual(['frame', 'gap', 'frame', 'gap', 'frame'])
  })

  test('a torn frame after damage is torn', async () => {
    const spans = await scan(first, Buffer.alloc(100, 0xee), second.subarray(0, 30))
    expect(spans.map((span) => span.split(' ')[0])).toEqual(['frame', 'gap', 'torn'])
  })

  test('a wrong block size that leads past the end of the file does not take the next frames along', async () => {
    const damaged = Buffer.from(first)
    damaged.writeUIntLE(100_000 * 8 + 1, 6, 3)
    expect(await scan(damaged, second, first)).toEqual([
      `gap 0-${first.length}`,
      `frame ${first.length}-${first.length + second.length}`,
      `frame ${first.length + second.length}-${2 * first.length + second.length}`,
    ])
  })

  test('a wrong block size that leads into the next frame is corrected when the frame is distrusted', async () => {
    const damaged = Buffer.from(first)
    damaged.writeUIntLE((HEADER.length + 3) * 8 + 1, 6, 3)
    const scanner = await scannerOf(Buffer.concat([damaged, second, first]))
    const span = await scanner.next()
    if (span?.kind !== 'frame') throw new Error(span?.kind)
    expect(span.end).toBe(first.length + 3)
    expect(await scanner.distrust(span)).toBe(first.length)
    expect(await scanner.next()).toMatchObject({ kind: 'frame', offset: first.length })
  })
})

describe('the magic inside a frame is no boundary', () => {
  const inner = frame({}, raw(eventLine(7)))
  const holding = frame(
    {},
    raw(Buffer.concat([Buffer.from('{"a":"'), FRAME_MAGIC, inner, Buffer.from('"}\n')])),
  )

  test('in a whole frame', async () => {
    expect(await scan(holding, holding)).toEqual([
      `frame 0-${holding.length}`,
      `frame ${holding.length}-${2 * holding.length}`,
    ])
  })

  test('in a torn one', async () => {
    const from = holding.indexOf(inner)
    for (let cut = 1; cut < holding.length; cut++) {
      // A whole frame that ends where the file ends is one, whatever precedes it.
      if (cut === from + inner.length) continue
      expect(await scan(first, holding.subarray(0, cut))).toEqual([
        `frame 0-${first.length}`,
        `torn ${first.length}-${first.length + cut}`,
      ])
    }
  })

  test('in one whose content is damaged', async () => {
    const scanner = await scannerOf(Buffer.concat([holding, first]))
    const span = await scanner.next()
    if (span?.kind !== 'frame') throw new Error(span?.kind)
    expect(await scanner.distrust(span)).toBe(holding.length)
  })

  test('in damage that begins no frame', async () => {
    const junk = Buffer.concat([Buffer.alloc(10, 0xee), FRAME_MAGIC, Buffer.alloc(90, 0xee)])
    expect(await scan(first, junk, second)).toEqual([
      `frame 0-${first.length}`,
      `gap ${first.length}-${first.length + 104}`,
      `frame ${first.length + 104}-${first.length + 104 + second.length}`,
    ])
  })
})

test('magic after magic does not make the search endless', async () => {
  const trap = Buffer.concat([FRAME_MAGIC, Buffer.from([0, 0x38])])
  const crafted = Buffer.concat([Buffer.alloc(8, 0xee), ...Array.from({ length: 100_000 }, () => trap)])
  const spans = await spansOf(crafted)
  expect(spans[0]?.kind).toBe('gap')
})

test('sixty thousand frames are found', async () => {
  const line = (await storedLog(eventLine(0))) as Buffer
  const scanner = await scannerOf(Buffer.alloc(60_000 * line.length, line))
  let frames = 0
  for (let span = await scanner.next(); span?.kind === 'frame'; span = await scanner.next()) frames++
  expect(frames).toBe(60_000)
})
