/**
 * Writes a repaired compressed log. A frame whose records all stay, and nothing else, is copied byte for byte; what is
 * new or changed becomes frames of its own, the header alone in the first (format.md §2.5).
 */
import type { FileHandle } from 'node:fs/promises'
import type { Origin } from '../../core/findings/origin.ts'
import type { ReadLimits, RecordSource, StoredRecord } from '../record-source.ts'
import { FileWindow } from '../zstd/file-window.ts'
import { FrameDecoder } from '../zstd/frame-decoder.ts'
import { FrameScanner, type FrameSpan, type Span } from '../zstd/frame-scanner.ts'
import { writeFrame } from '../zstd/frame-writer.ts'
import { lineIn } from './log-lines.ts'

/** Lines that need a new frame are gathered up to this size. */
const BATCH_BYTES = 256 * 1024
const LF = Buffer.from('\n')

/** @param file - the original. @param written - called after each batch of records. */
export async function writeLogFrames(
  planned: RecordSource,
  file: string,
  limits: ReadLimits,
  target: FileHandle,
  written: () => Promise<void> = async () => {},
): Promise<void> {
  const window = await FileWindow.open(file)
  try {
    const decoder = await FrameDecoder.open(limits.maxRecord)
    const writer = new LogFrames(window, decoder, target)
    for await (const items of planned.items()) {
      for (const item of items) if (item.kind === 'record') await writer.add(item)
      await written()
    }
    await writer.finish()
    await written()
  } finally {
    await window.close()
  }
}

class LogFrames {
  readonly #file: FileWindow
  readonly #scanner: FrameScanner
  readonly #decoder: FrameDecoder
  readonly #target: FileHandle
  /** Lines of the frame that is being gathered, or new ones when `#frame` is absent. */
  #lines: Buffer[] = []
  #size = 0
  #frame: Origin['frame']
  #offset: Origin['byteOffset']
  /** The last one that was looked at. */
  #span: Span | undefined
  /** Lines that need a new frame. */
  #loose: Buffer[] = []
  #looseSize = 0
  #isFirst = true

  constructor(file: FileWindow, decoder: FrameDecoder, target: FileHandle) {
    this.#file = file
    this.#scanner = new FrameScanner(file)
    this.#decoder = decoder
    this.#target = target
  }

  async add(record: StoredRecord): Promise<void> {
    const { frame, byteOffset } = record.origin
    if (frame !== this.#frame) await this.#endFrame()
    this.#frame = frame
    this.#offset = byteOffset
    const line = Buffer.from(lineIn(record))
    this.#lines.push(line, LF)
    this.#size += line.length + 1
    if (frame === undefined && this.#size >= BATCH_BYTES) await this.#endFrame()
  }

  async finish(): Promise<void> {
    await this.#endFrame()
    await this.#writeLoose()
  }

  async #endFrame(): Promise<void> {
    if (this.#size === 0) return
    const content = Buffer.concat(this.#lines, this.#size)
    const offset = this.#frame === undefined ? undefined : this.#offset
    this.#lines = []
    this.#size = 0
    const stored = offset === undefined ? undefined : await this.#storedFrame(offset, content)
    if (stored === undefined) await this.#hold(content)
    else {
      await this.#writeLoose()
      await this.#target.writeFile(stored)
      this.#isFirst = false
    }
  }

  /** The bytes of the frame, when they hold exactly this content and may be where they would go. */
  async #storedFrame(offset: number, content: Buffer): Promise<Buffer | undefined> {
    const isAlone = content.indexOf(LF) === content.length - 1
    if (this.#isFirst && !isAlone) return undefined
    const span = await this.#spanAt(offset)
    if (span === undefined) return undefined
    const stored = Buffer.from(await this.#file.at(span.offset, span.end - span.offset))
    const decoded = this.#decoder.decode(stored, span.header)
    return decoded.kind === 'bytes' && decoded.bytes.equals(content) ? stored : undefined
  }

  async #spanAt(offset: number): Promise<FrameSpan | undefined> {
    while (this.#span === undefined || this.#span.offset < offset) {
      const span = await this.#scanner.next()
      if (span === undefined) return undefined
      this.#span = span
    }
    return this.#span.kind === 'frame' && this.#span.offset === offset ? this.#span : undefined
  }

  async #hold(content: Buffer): Promise<void> {
    let rest = content
    if (this.#isFirst && this.#looseSize === 0) {
      const end = content.indexOf(LF) + 1
      await this.#writeFrame(content.subarray(0, end))
      rest = content.subarray(end)
    }
    if (rest.length === 0) return
    this.#loose.push(rest)
    this.#looseSize += rest.length
    if (this.#looseSize >= BATCH_BYTES) await this.#writeLoose()
  }

  async #writeLoose(): Promise<void> {
    if (this.#looseSize === 0) return
    const content = Buffer.concat(this.#loose, this.#looseSize)
    this.#loose = []
    this.#looseSize = 0
    await this.#writeFrame(content)
  }

  async #writeFrame(content: Buffer): Promise<void> {
    await this.#target.writeFile(await writeFrame(content))
    this.#isFirst = false
  }
}
