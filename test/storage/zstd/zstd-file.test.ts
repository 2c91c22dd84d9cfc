import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type {
  ContainerFault,
  ReadLimits,
  StoredItem,
  StoredRecord,
} from '../../../src/storage/record-source.ts'
import { DEFAULT_LIMITS } from '../../../src/storage/record-source.ts'
import { zstdFile } from '../../../src/storage/zstd/zstd-file.ts'
import { stride } from '../../support/effort.ts'
import { tempFile } from '../../support/temp-dir.ts'
import { tornFrameStart } from '../../support/torn-frame-start.ts'
import {
  BATCH,
  BLOCKS,
  BLOCKS_COMPRESSED,
  COMPRESSED_BATCH,
  COMPRESSED_HEADER,
  eventLine,
  frame,
  HEADER,
  type Shape,
  storedLog,
} from './frames.ts'

const LIMITS: ReadLimits = { ...DEFAULT_LIMITS, maxRecord: 1024 * 1024 }

async function itemsOf(log: Buffer | string, fromLine?: number, limits = LIMITS): Promise<StoredItem[]> {
  const path = typeof log === 'string' ? log : tempFile(log, 'session.jsonl.zstd')
  const items: StoredItem[] = []
  for await (const batch of zstdFile(path, limits).items(fromLine)) items.push(...batch)
  return items
}

const recordsIn = (items: readonly StoredItem[]): StoredRecord[] => items.filter((i) => i.kind === 'record')
const faultsIn = (items: readonly StoredItem[]): ContainerFault[] => items.filter((i) => i.kind === 'fault')

function textOf(items: readonly StoredItem[]): string {
  return recordsIn(items)
    .map(({ content }) => (content.kind === 'bytes' ? `${content.bytes}\n` : `(${content.kind})\n`))
    .join('')
}

/** Codes and lines in order, such as `1 2 bytes/torn-frame 3`. */
function outline(items: readonly StoredItem[]): string {
  return items.map((item) => (item.kind === 'record' ? item.line : item.code)).join(' ')
}

const raw = (text: string, shape: Shape = {}): Buffer => frame(shape, { raw: Buffer.from(text) })
const split = (whole: string, at: number): [string, string] => [whole.slice(0, at), whole.slice(at)]

describe('a healthy log', () => {
  test('is read line by line, with the place of every record', async () => {
    const log = Buffer.concat([COMPRESSED_HEADER, COMPRESSED_BATCH, BLOCKS_COMPRESSED])
    const items = await itemsOf(log)
    expect(faultsIn(items)).toEqual([])
    expect(textOf(items)).toBe(HEADER + BATCH + BLOCKS)
    const records = recordsIn(items)
    expect(records.map(({ line }) => line)).toEqual(records.map((_, index) => index + 1))
    expect(records.every(({ ended }) => ended)).toBe(true)
    expect(records[0]?.origin).toEqual({ line: 1, byteOffset: 0, byteLength: HEADER.length - 1, frame: 0 })
    const place = { byteOffset: COMPRESSED_HEADER.length, frame: 1 }
    expect(records[3]?.origin).toEqual({ line: 4, byteLength: BATCH.split('\n')[2]?.length, ...place })
    expect(records[13]?.origin.frame).toBe(2)
  })

  test('can be read from a later line on', async () => {
    const log = Buffer.concat([COMPRESSED_HEADER, COMPRESSED_BATCH])
    expect(outline(await itemsOf(log, 11))).toBe('11 12 13')
    expect(outline(await itemsOf(log, 14))).toBe('')
  })

  test('keeps what other line splitters would take for line ends', async () => {
    const odd = '{"a":"\u2028"}\r\n\u0000\n\n{"b":1}\n'
    const items = await itemsOf(await storedLog(HEADER, odd))
    expect(textOf(items)).toBe(HEADER + odd)
    expect(outline(items)).toBe('1 2 3 4 5')
  })

  test('may hold empty frames', async () => {
    expect(outline(await itemsOf(await storedLog(HEADER, '', eventLine(0))))).toBe('1 2')
  })

  test('is not touched', async () => {
    const path = tempFile(await storedLog(HEADER, eventLine(0)), 'session.jsonl.zstd')
    const before = { bytes: readFileSync(path), time: statSync(path).mtimeMs }
    await itemsOf(path)
    expect({ bytes: readFileSync(path), time: statSync(path).mtimeMs }).toEqual(before)
  })

  test('of sixty thousand frames is read in flat memory', async () => {
    const head = await storedLog(HEADER)
    const batch = await storedLog(eventLine(0))
    const read = async (count: number): Promise<number> => {
      const path = tempFile(Buffer.concat([head, Buffer.alloc(count * batch.length, batch)]), 'log.zstd')
      let last = 0
      let held = 0
      for await (const items of zstdFile(path, LIMITS).items()) {
        last = recordsIn(items).at(-1)?.line ?? last
        held = Math.max(held, items.length)
      }
      expect(last).toBe(count + 1)
      return held
    }
    expect(await read(60_000)).toBe(await read(6000))
  })
})

describe('bytes/header-frame', () => {
  test.each([
    ['the header and 9 events', HEADER + Array.from({ length: 9 }, (_, seq) => eventLine(seq)).join('')],
    ['the header and 1 event', HEADER + eventLine(0)],
    ['the header, 1 event and the start of another line', `${HEADER}${eventLine(0)}{"ty`],
    ['the header and the start of another line', `${HEADER}{"ty`],
    ['2 lines', eventLine(0) + eventLine(1)],
    ['no line feed', HEADER.trimEnd()],
    ['nothing', ''],
  ])('%s', async (problem, content) => {
    const items = await itemsOf(raw(content))
    expect(items[0]).toMatchObject({
      code: 'bytes/header-frame',
      args: { problem },
      losesRecords: false,
      origin: { byteOffset: 0, frame: 0 },
    })
    expect(textOf(items).trimEnd()).toBe(content.trimEnd())
  })

  test('near miss: one line with its line feed', async () => {
    expect(faultsIn(await itemsOf(raw(HEADER)))).toEqual([])
  })

  test('is said of a torn frame too, as far as it can be read', async () => {
    const log = raw(HEADER + eventLine(0) + eventLine(1))
    const items = await itemsOf(log.subarray(0, log.length - 5))
    expect(outline(items)).toBe('bytes/header-frame bytes/torn-frame 1 2')
  })
})

describe('a frame that ends inside a record', () => {
  const whole = eventLine(1)

  test('a record that the next frame completes is one record', async () => {
    const [start, rest] = split(whole, 20)
    const items = await itemsOf(await storedLog(HEADER, eventLine(0) + start, rest + eventLine(2)))
    expect(outline(items)).toBe('1 2 bytes/record-over-frames 3 4')
    expect(textOf(items)).toBe(HEADER + eventLine(0) + whole + eventLine(2))
    expect(recordsIn(items)[2]).toMatchObject({
      ended: true,
      origin: { frame: 1, byteLength: whole.length - 1 },
    })
  })

  test('one that it does not complete stays apart from the next line', async () => {
    const items = await itemsOf(await storedLog(HEADER, '{"cut":"', eventLine(1)))
    expect(outline(items)).toBe('1 bytes/frame-splits-record 2 3')
    expect(textOf(items)).toBe(`${HEADER}{"cut":"\n${eventLine(1)}`)
  })

  test('one at the end of the file is handed out as it is', async () => {
    const items = await itemsOf(await storedLog(HEADER, `${eventLine(0)}{"cut":"`))
    expect(textOf(items)).toBe(`${HEADER}${eventLine(0)}{"cut":"\n`)
    expect(recordsIn(items)[2]?.ended).toBe(true)
  })

  test('a record over three frames', async () => {
    const items = await itemsOf(
      await storedLog(HEADER, whole.slice(0, 9), whole.slice(9, 20), whole.slice(20)),
    )
    expect(textOf(items)).toBe(HEADER + whole)
    expect(faultsIn(items).map(({ origin }) => origin.frame)).toEqual([1, 2])
  })

  test('a record whose other part is in a lost frame is not joined with what follows', async () => {
    const [start, rest] = split(whole, 20)
    const lost = raw('{}\n')
    lost[lost.length - 1] = (lost[lost.length - 1] as number) ^ 1
    const log = Buffer.concat([await storedLog(HEADER, start), lost, await storedLog(rest)])
    expect(outline(await itemsOf(log))).toBe('1 bytes/frame-splits-record 2 bytes/corrupt-frame 3 4')
  })

  test('a lost line feed between two whole records', async () => {
    const items = await itemsOf(await storedLog(HEADER, eventLine(0).trimEnd(), eventLine(1)))
    expect(textOf(items)).toBe(HEADER + eventLine(0) + eventLine(1))
  })
})

describe('damage', () => {
  test('a corrupt frame costs its own records', async () => {
    const bad = Buffer.from(COMPRESSED_BATCH)
    bad[100] = (bad[100] as number) ^ 8
    const items = await itemsOf(Buffer.concat([COMPRESSED_HEADER, bad, await storedLog(eventLine(12))]))
    expect(outline(items)).toBe('1 bytes/corrupt-frame 2')
    expect(faultsIn(items)[0]).toMatchObject({
      losesRecords: true,
      origin: { byteOffset: COMPRESSED_HEADER.length, byteLength: bad.length, frame: 1 },
    })
  })

  test('bytes that are no frame are passed over', async () => {
    const junk = Buffer.alloc(7, 0xee)
    const log = Buffer.concat([COMPRESSED_HEADER, junk, COMPRESSED_BATCH])
    const items = await itemsOf(log)
    expect(faultsIn(items)).toEqual([
      {
        kind: 'fault',
        code: 'bytes/frame-structure',
        origin: { byteOffset: COMPRESSED_HEADER.length, byteLength: 7 },
        args: { problem: `invalid frame magic at byte ${COMPRESSED_HEADER.length}`, bytes: 7 },
        losesRecords: true,
      },
    ])
    expect(textOf(items)).toBe(HEADER + BATCH)
  })

  test('a torn last frame gives the records of its whole blocks', async () => {
    const torn = BLOCKS_COMPRESSED.subarray(0, BLOCKS_COMPRESSED.length - 20)
    const path = tempFile(Buffer.concat([COMPRESSED_HEADER, torn]), 'session.jsonl.zstd')
    const items = await itemsOf(path)
    const recovered = recordsIn(items).length - 1
    expect(recovered).toBe(30)
    expect(faultsIn(items)).toEqual([
      {
        kind: 'fault',
        code: 'bytes/torn-frame',
        origin: { byteOffset: COMPRESSED_HEADER.length, byteLength: torn.length, frame: 1 },
        args: { bytes: torn.length, records: recovered },
        losesRecords: false,
        cutRecord: expect.any(Buffer),
      },
    ])
    expect((HEADER + BLOCKS).startsWith(textOf(items))).toBe(true)
    expect(await tornFrameStart(path)).toBe(COMPRESSED_HEADER.length)
  })

  test('of a torn frame that is damaged as well DSH takes nothing', async () => {
    const torn = (contentSize: number): Buffer =>
      raw(eventLine(0) + eventLine(1), { single: true, sizeBytes: 8, contentSize }).subarray(0, -6)
    const sound = await itemsOf(Buffer.concat([COMPRESSED_HEADER, torn(2 ** 20)]))
    expect(outline(sound)).toBe('1 bytes/torn-frame 2')
    expect(recordsIn(sound)[1]?.standing).toBeUndefined()
    const damaged = await itemsOf(Buffer.concat([COMPRESSED_HEADER, torn(2 ** 35)]))
    expect(outline(damaged)).toBe('1 bytes/torn-frame 2')
    expect(faultsIn(damaged)[0]).toMatchObject({ args: { records: 0 }, hidesRest: true })
    expect(recordsIn(damaged)[1]?.standing).toBe('hidden')
  })

  test('a small torn frame gives nothing', async () => {
    const items = await itemsOf(Buffer.concat([COMPRESSED_HEADER, COMPRESSED_BATCH.subarray(0, 200)]))
    expect(outline(items)).toBe('1 bytes/torn-frame')
  })

  test('a bomb is not read, and what follows is', async () => {
    const block = Buffer.from([0x02, 0x00, 0x10, 0x61])
    const bomb = Buffer.concat([
      raw('', { checksum: false }).subarray(0, 6),
      Buffer.alloc(4 * 8000, block),
      Buffer.from([0x03, 0x00, 0x10, 0x61]),
    ])
    const declared = raw('a\n', { sizeBytes: 8, contentSize: 2 ** 40 })
    const log = Buffer.concat([COMPRESSED_HEADER, bomb, declared, COMPRESSED_BATCH])
    const items = await itemsOf(log)
    expect(textOf(items)).toBe(`${HEADER}a\n${BATCH}`)
    const limit = 16 * 1024 * 1024
    expect(faultsIn(items)).toMatchObject([
      { code: 'bytes/frame-too-large', args: { limit }, losesRecords: true },
      // Its blocks cannot hold as much as it declares, so that is damaged whatever the limit, and its content is not.
      { code: 'bytes/frame-header', losesRecords: false },
    ])
  })

  test('frames just under the limit are not held together', async () => {
    const blocks = Array.from({ length: 16 }, () => ({ rle: 0x61, count: 131_072 }))
    const large = frame({}, ...blocks, { raw: Buffer.from('\n') })
    const path = tempFile(Buffer.concat([COMPRESSED_HEADER, large, large, large]), 'session.jsonl.zstd')
    const batches: number[] = []
    for await (const items of zstdFile(path, DEFAULT_LIMITS).items()) batches.push(items.length)
    expect(batches).toEqual([2, 1, 1])
  })

  test('a record over the limit is passed over', async () => {
    const log = await storedLog(HEADER, eventLine(0, 'x'.repeat(2000)) + eventLine(1))
    const items = await itemsOf(log, 1, { ...LIMITS, maxRecord: 1000 })
    expect(recordsIn(items).map(({ content }) => content.kind)).toEqual(['bytes', 'oversize', 'bytes'])
  })
})

describe('systematic damage', () => {
  const batches = [HEADER, eventLine(0) + eventLine(1), eventLine(2), eventLine(3)]
  const compressed = Buffer.concat([COMPRESSED_HEADER, COMPRESSED_BATCH])

  test('a log cut at every byte is read up to its last whole frame, and the rest is reported', async () => {
    const stored = await storedLog(...batches)
    for (const [log, whole] of [
      [stored, batches.join('')],
      [compressed, HEADER + BATCH],
    ] as const) {
      const path = tempFile(log, 'session.jsonl.zstd')
      const ends = new Set([0, ...(await boundaries(path)), log.length])
      for (let cut = 0; cut < log.length; cut += stride(1)) {
        writeFileSync(path, log.subarray(0, cut))
        const items = await itemsOf(path)
        // A header in a torn frame can be read, but DSH finds no whole frame and refuses the file.
        const isHeader = cut < Math.min(...[...ends].filter((end) => end > 0)) && textOf(items) !== ''
        const wanted = [...(isHeader ? ['bytes/header-frame'] : []), 'bytes/torn-frame']
        expect(faultsIn(items).map(({ code }) => code)).toEqual(ends.has(cut) ? [] : wanted)
        expect(whole.startsWith(textOf(items))).toBe(true)
        const start = await tornFrameStart(path)
        expect(start).toBe(Math.max(...[...ends].filter((end) => end <= cut)))
      }
    }
  })

  test('every flipped bit of stored frames is reported, and costs no record of another frame', async () => {
    const log = await storedLog(...batches)
    const path = tempFile(log, 'session.jsonl.zstd')
    const starts = [0, ...(await boundaries(path)), log.length]
    for (let bit = 0; bit < log.length * 8; bit += stride(1)) {
      const byte = bit >> 3
      const copy = Buffer.from(log)
      copy[byte] = (copy[byte] as number) ^ (1 << (bit & 7))
      writeFileSync(path, copy)
      const items = await itemsOf(path)
      expect(faultsIn(items).length, `bit ${bit}`).toBeGreaterThan(0)
      const hit = starts.findLastIndex((start) => start <= byte)
      const read = textOf(items)
      for (const [index, batch] of batches.entries()) {
        if (index !== hit) expect(read.includes(batch), `bit ${bit}, frame ${index}`).toBe(true)
      }
    }
  })

  test('every flipped bit of compressed frames is reported, or changes nothing of what is read', async () => {
    const path = tempFile(compressed, 'session.jsonl.zstd')
    let unreported = 0
    for (let bit = 0; bit < compressed.length * 8; bit += stride(1)) {
      const copy = Buffer.from(compressed)
      copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7))
      writeFileSync(path, copy)
      const items = await itemsOf(path)
      if (faultsIn(items).length > 0) continue
      unreported++
      expect(textOf(items)).toBe(HEADER + BATCH)
    }
    // Bits without a meaning: the window that a decoder should reserve, and the padding of code tables.
    expect(unreported).toBeLessThan((compressed.length * 8 * 0.015) / stride(1))
  })

  async function boundaries(path: string): Promise<number[]> {
    const starts = recordsIn(await itemsOf(path)).map(({ origin }) => origin.byteOffset ?? 0)
    return [...new Set(starts)].filter((start) => start > 0)
  }
})
