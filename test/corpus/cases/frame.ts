/** Compressed logs: frames that are torn, damaged, too large, or do not hold what they should. */
import { gzipSync } from 'node:zlib'
import { contentChecksum } from '../../../src/storage/zstd/content-checksum.ts'
import { writeStoredFrame } from '../../../src/storage/zstd/frame-writer.ts'
import { log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'
import { type Case, clean, mended, misleading, refused } from '../case.ts'

const FILE = 'session.jsonl.zstd'
/** Offset of the first block in a stored frame. */
const FIRST_BLOCK = 13
const LINES = base()
  .lines()
  .map((line) => `${line}\n`)
const [HEADER] = LINES as [string]
const lines = (from: number, to?: number): string => LINES.slice(from, to).join('')

async function frames(...batches: readonly (string | Buffer)[]): Promise<Buffer> {
  const all = batches.map((batch) => (Buffer.isBuffer(batch) ? batch : writeStoredFrame(Buffer.from(batch))))
  return Buffer.concat(await Promise.all(all))
}

/** One bit of the content is wrong, so that only the checksum can tell. */
async function damaged(batch: string): Promise<Buffer> {
  const frame = await frames(batch)
  frame[frame.length - 8] = (frame[frame.length - 8] as number) ^ 1
  return frame
}

/** A frame whose byte at `at` is changed; its blocks and their checksum stay as they are. */
async function flipped(batch: string, at: number, bits: number): Promise<Buffer> {
  const frame = await writeStoredFrame(Buffer.from(batch))
  const place = at < 0 ? frame.length + at : at
  frame[place] = (frame[place] as number) ^ bits
  return frame
}

/** A frame whose first block claims to be as long as no block may be, or `size` bytes. */
async function oversized(batch: string, size = 0x1fffff): Promise<Buffer> {
  const frame = await writeStoredFrame(Buffer.from(batch))
  frame.writeUIntLE((size << 3) | 1, FIRST_BLOCK, 3)
  return frame
}

/** A frame of `blocks` times 128 KiB of one letter, in a few hundred bytes. */
async function bomb(blocks: number): Promise<Buffer> {
  const block = Buffer.from([0x02, 0x00, 0x10, 0x61])
  const last = Buffer.from([0x03, 0x00, 0x10, 0x61])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE((await contentChecksum())(Buffer.alloc(blocks * 128 * 1024, 0x61)))
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58])
  return Buffer.concat([head, ...Array<Buffer>(blocks - 1).fill(block), last, checksum])
}

export const cases: readonly Case[] = [
  {
    name: 'compressed-log',
    why: 'Header and batches in frames of their own: nothing to complain about.',
    log: () => frames(HEADER, lines(1, 5), lines(5)),
    file: FILE,
    findings: [],
    ...clean,
    nearMissOf: [
      'bytes/torn-frame',
      'bytes/corrupt-frame',
      'bytes/frame-structure',
      'bytes/frame-header',
      'bytes/header-frame',
      'bytes/frame-splits-record',
      'bytes/container-name',
    ],
  },
  {
    name: 'last-frame-torn',
    why: 'A crash cut the last write; DSH drops what is left of it.',
    log: async () => Buffer.concat([await frames(HEADER, lines(1)), (await frames('x\n')).subarray(0, 9)]),
    file: FILE,
    findings: [{ code: 'bytes/torn-frame' }],
    ...mended,
    nearMissOf: ['bytes/corrupt-frame'],
  },
  {
    name: 'three-bytes-after-the-last-frame',
    why: 'Too short for a magic number, so it may be the start of one.',
    log: () => frames(HEADER, lines(1), Buffer.from([0, 0, 0])),
    file: FILE,
    findings: [{ code: 'bytes/torn-frame' }],
    ...mended,
    nearMissOf: ['bytes/frame-structure'],
  },
  {
    name: 'frame-damaged-in-the-middle',
    why: 'Its records are lost, and the frames after it are read all the same.',
    log: async () => frames(HEADER, lines(1, 4), await damaged(lines(4, 5)), lines(5)),
    file: FILE,
    findings: [
      { code: 'bytes/corrupt-frame' },
      { code: 'order/seq-gap', seq: 4, causedBy: 'bytes/corrupt-frame' },
    ],
    ...refused,
  },
  {
    name: 'first-magic-number-damaged',
    why: 'The file does not begin like a compressed log any more; its blocks and their checksum are whole.',
    log: async () => frames(await flipped(HEADER, 0, 1), lines(1)),
    file: FILE,
    findings: [{ code: 'bytes/frame-header' }],
    ...refused,
  },
  {
    name: 'first-magic-number-damaged-in-a-name-without-a-kind',
    why: 'What is in the file decides, not its name.',
    log: async () => frames(await flipped(HEADER, 3, 0xff), lines(1)),
    file: 'backup',
    findings: [{ code: 'bytes/frame-header' }],
    ...refused,
  },
  {
    name: 'reserved-bit-in-a-later-frame',
    why: 'DSH finds no frame there. The content is proved by its checksum, and nothing of it is lost.',
    log: async () => frames(HEADER, lines(1, 5), await flipped(lines(5, 6), 4, 8), lines(6)),
    file: FILE,
    findings: [{ code: 'bytes/frame-header' }],
    ...refused,
  },
  {
    name: 'two-magic-numbers-damaged-in-a-row',
    why: 'Between them is no boundary that a search could find.',
    log: async () =>
      frames(HEADER, await flipped(lines(1, 5), 2, 16), await flipped(lines(5, 6), 1, 1), lines(6)),
    file: FILE,
    findings: [{ code: 'bytes/frame-header' }, { code: 'bytes/frame-header' }],
    ...refused,
  },
  {
    name: 'declared-size-damaged',
    why: 'The frame says that it holds something else than it does; the checksum agrees with what it holds.',
    log: async () => frames(HEADER, await flipped(lines(1), 6, 1)),
    file: FILE,
    findings: [{ code: 'bytes/frame-header' }],
    ...refused,
    nearMissOf: ['bytes/corrupt-frame'],
  },
  {
    name: 'checksum-damaged',
    why: 'Nothing says whether the content has changed or its checksum alone; every record can be read.',
    log: async () => frames(HEADER, lines(1, 5), await flipped(lines(5, 6), -1, 1), lines(6)),
    file: FILE,
    findings: [{ code: 'bytes/corrupt-frame' }],
    ...refused,
    nearMissOf: ['order/seq-gap'],
  },
  {
    name: 'one-line-of-a-frame-damaged',
    why: 'The lines next to it are still JSON, so one record is lost and not the batch.',
    log: async () => frames(HEADER, await flipped(lines(1), FIRST_BLOCK + 3 + lines(1, 4).length, 2)),
    file: FILE,
    findings: [
      { code: 'bytes/corrupt-frame' },
      { code: 'order/seq-gap', seq: 4, causedBy: 'bytes/corrupt-frame' },
    ],
    ...refused,
  },
  {
    name: 'text-before-the-first-frame',
    why: 'A terminal wrote into the file: it is a compressed log all the same.',
    log: () => frames(Buffer.from('Last login: Mon Jul 27\n'), HEADER, lines(1)),
    file: FILE,
    findings: [{ code: 'bytes/frame-structure' }],
    ...refused,
  },
  {
    name: 'nuls-over-the-first-frame',
    why: 'The header is lost; the events after it are not.',
    log: async () => frames(Buffer.alloc((await writeStoredFrame(Buffer.from(HEADER))).length), lines(1)),
    file: FILE,
    findings: [{ code: 'bytes/frame-structure' }, { code: 'header/missing' }],
    ...refused,
    nearMissOf: ['bytes/only-nuls'],
  },
  {
    name: 'no-frame-in-a-compressed-name',
    why: 'Nothing in it can be read, so nothing shows that it was a log.',
    log: Buffer.from('00ff'.repeat(40), 'hex'),
    file: FILE,
    findings: [{ code: 'bytes/frame-structure' }, { code: 'bytes/not-a-log' }],
    verdict: 'findings',
    exitCode: 3,
    opens: false,
    nearMissOf: ['bytes/empty-file'],
  },
  {
    name: 'bytes-between-frames',
    why: 'They are no frame, so something has overwritten or inserted them.',
    log: () => frames(HEADER, Buffer.from('garbage'), lines(1)),
    file: FILE,
    findings: [{ code: 'bytes/frame-structure' }],
    ...refused,
    nearMissOf: ['bytes/torn-frame'],
  },
  {
    name: 'whole-log-in-one-frame',
    why: 'A command line tool compressed it: DSH wants the header in a frame of its own.',
    log: () => frames(lines(0)),
    file: FILE,
    findings: [{ code: 'bytes/header-frame' }],
    ...refused,
  },
  {
    name: 'record-in-two-frames',
    why: 'DSH joins the parts of a record, though it writes whole lines in every frame.',
    log: () => frames(HEADER, lines(1).slice(0, -30), lines(1).slice(-30)),
    file: FILE,
    findings: [{ code: 'bytes/record-over-frames' }],
    ...clean,
    nearMissOf: ['bytes/frame-splits-record'],
  },
  {
    name: 'last-frame-without-its-line-feed',
    why: 'The record is whole, but DSH takes the end of the last whole frame for a torn record and refuses the log.',
    log: () => frames(HEADER, lines(1).slice(0, -1)),
    file: FILE,
    findings: [{ code: 'bytes/frame-splits-record' }],
    ...refused,
    nearMissOf: ['bytes/record-over-frames'],
  },
  {
    name: 'blank-line-at-the-end-of-a-whole-frame',
    why: 'The tail rule of plain files does not hold in a whole frame: DSH drops no line of one.',
    log: () => frames(HEADER, lines(1), '\n'),
    file: FILE,
    findings: [{ code: 'bytes/bad-line' }],
    ...refused,
    nearMissOf: ['bytes/bad-tail-line'],
  },
  {
    name: 'gap-in-the-last-whole-frame',
    why: 'No turn end follows, and DSH refuses the log all the same.',
    log: () => frames(HEADER, lines(1, 3), lines(4, 5)),
    file: FILE,
    findings: [{ code: 'turn/open' }, { code: 'order/seq-gap', seq: 3 }],
    ...refused,
    nearMissOf: ['order/tail-break'],
  },
  {
    name: 'block-size-beyond-the-end-of-the-file',
    why: 'One wrong bit makes a frame look torn: DSH opens the log and drops all that follows.',
    log: async () => frames(HEADER, lines(1, 5), await oversized(lines(5, 6)), lines(6)),
    file: FILE,
    findings: [
      { code: 'turn/open' },
      { code: 'bytes/frame-hides-rest' },
      { code: 'order/rows-dropped', causedBy: 'bytes/frame-hides-rest' },
    ],
    ...misleading,
  },
  {
    name: 'block-size-within-the-file',
    why: 'DSH finds no frame where the block would end, and refuses the log.',
    log: async () => frames(HEADER, await oversized(lines(1), 200)),
    file: FILE,
    findings: [{ code: 'bytes/corrupt-frame' }, { code: 'turn/open' }, { code: 'bytes/frame-structure' }],
    ...refused,
    nearMissOf: ['bytes/frame-hides-rest'],
  },
  {
    name: 'frame-over-the-limit',
    why: 'A few hundred bytes that become many millions are not unpacked.',
    log: async () => frames(HEADER, lines(1), await bomb(129)),
    file: FILE,
    maxRecord: 1024,
    findings: [{ code: 'bytes/frame-too-large' }],
    verdict: 'incomplete',
    exitCode: 4,
    opens: true,
  },
  {
    name: 'frame-at-the-limit',
    why: 'The limit itself is allowed; what is in the frame is no record.',
    log: async () => frames(HEADER, lines(1), await bomb(128), '\n'),
    file: FILE,
    findings: [{ code: 'bytes/frame-splits-record' }, { code: 'bytes/bad-line' }],
    ...refused,
    nearMissOf: ['bytes/frame-too-large'],
  },
  {
    name: 'compressed-log-in-a-plain-name',
    why: 'Somebody renamed it: DSH reads it by its name, does not list the session and refuses to open it.',
    log: () => frames(HEADER, lines(1)),
    file: 'log.jsonl',
    findings: [{ code: 'bytes/container-name' }],
    ...refused,
  },
  {
    name: 'plain-log-in-a-compressed-name',
    why: 'Somebody unpacked it and kept the name: DSH lists no session of the store.',
    log: base(),
    file: FILE,
    findings: [{ code: 'bytes/container-name' }],
    ...refused,
  },
  {
    name: 'gzip-in-a-compressed-name',
    why: 'Another tool compressed it, and DSH takes it for frames.',
    log: gzipSync(base().bytes()),
    file: FILE,
    findings: [{ code: 'bytes/container-name' }],
    ...refused,
  },
  {
    name: 'gzip-in-its-own-name',
    why: 'A log that was sent by mail; it is read as it is.',
    log: gzipSync(log().user('hi').bytes()),
    file: 'session.jsonl.gz',
    findings: [],
    ...clean,
    nearMissOf: ['bytes/container-name', 'bytes/file-name'],
  },
  {
    name: 'plain-log-in-the-name-of-an-archive',
    why: 'DSH has no log of that name, so it is a copy, which is read as it is.',
    log: base(),
    file: 'session.jsonl.gz',
    findings: [{ code: 'bytes/file-name' }],
    ...clean,
  },
]
