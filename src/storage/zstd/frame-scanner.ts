/**
 * Cuts a file into zstd frames by their structure alone, front to back, without decompressing. Tells a torn last
 * frame from damage by the rules of format.md §2.5, and finds the next frame after damage.
 *
 * The magic bytes may occur inside a frame. So a boundary is where the structure of a frame ends; a magic is only
 * searched for where that structure is broken, and believed only when it begins a frame.
 *
 * While the file may still grow, only what more bytes cannot change is given, and the rest is asked for again later.
 */
import type { FileWindow } from './file-window.ts'
import {
  BLOCK_HEADER_BYTES,
  CHECKSUM_BYTES,
  decodeBlockHeader,
  decodeFrameHeader,
  FRAME_MAGIC,
  type FrameHeader,
  LARGEST_BLOCK,
  LONGEST_HEADER,
} from './frame-header.ts'

interface Extent {
  readonly offset: number
  /** Offset after the last byte. */
  readonly end: number
}

export interface FrameSpan extends Extent {
  readonly kind: 'frame'
  /** Position among the frames of the file, from 0. */
  readonly index: number
  readonly header: FrameHeader
}

/** A frame that the end of the file cuts. */
export interface TornSpan extends Extent {
  readonly kind: 'torn'
  readonly index: number
  /** Absent when not even the header is whole. */
  readonly header?: FrameHeader
}

/** Bytes that are no frame. */
export interface GapSpan extends Extent {
  readonly kind: 'gap'
  readonly problem: string
  /** Header of the frame that DSH takes for the torn last one: the sizes of its blocks reach past the end of the file. */
  readonly hidesRest?: FrameHeader
}

export type Span = FrameSpan | TornSpan | GapSpan

type Walk =
  | { readonly kind: 'frame'; readonly end: number; readonly header: FrameHeader }
  | { readonly kind: 'torn'; readonly header?: FrameHeader }
  | { readonly kind: 'broken'; readonly problem: string; readonly reachesEnd?: FrameHeader }

const SEARCH_BYTES = 64 * 1024

export class FrameScanner {
  readonly #file: FileWindow
  #position = 0
  #index = 0
  /** Blocks that may still be looked at while searching: a crafted file could make every magic a long walk. */
  #searchable = 0
  #searchedLength = -1
  /** Whether what was looked at last would look otherwise in a longer file. */
  #hangsOnEnd = false
  /** DSH has met damage: what it makes of the file is decided. */
  #isDecided = false

  constructor(file: FileWindow) {
    this.#file = file
  }

  /** Where the next span begins. */
  get position(): number {
    return this.#position
  }

  /** How many frames have been given. */
  get frames(): number {
    return this.#index
  }

  /** The next span; absent at the end of the file, or where only a longer file will tell. */
  async next(): Promise<Span | undefined> {
    const offset = this.#position
    if (offset >= this.#file.length) return undefined
    if (this.#searchedLength !== this.#file.length) {
      this.#searchedLength = this.#file.length
      this.#searchable = 10_000 + this.#file.length / 16
    }
    this.#hangsOnEnd = false
    const walk = await this.#walk(offset)
    switch (walk.kind) {
      case 'frame':
        this.#position = walk.end
        return { kind: 'frame', offset, end: walk.end, index: this.#index++, header: walk.header }
      case 'torn': {
        if (this.#isOpen) return undefined
        // A wrong block size looks like a torn frame too; then whole frames follow, which must not be lost with it.
        const follower = await this.#boundaryIn(offset + 1, this.#file.length)
        if (follower !== undefined)
          return this.#gap(offset, follower, 'a block that reaches past the next frame', walk.header)
        this.#position = this.#file.length
        const { header } = walk
        return {
          kind: 'torn',
          offset,
          end: this.#position,
          index: this.#index++,
          ...(header !== undefined && { header }),
        }
      }
      case 'broken': {
        const end = await this.#nextFrame(offset + 1)
        if (this.#isOpen || (end === this.#file.length && !this.#file.isComplete)) return undefined
        return this.#gap(offset, end, walk.problem, walk.reachesEnd)
      }
    }
  }

  get #isOpen(): boolean {
    return this.#hangsOnEnd && !this.#file.isComplete
  }

  /** Says that DSH refuses the file because of what it has met. */
  decide(): void {
    this.#isDecided = true
  }

  /** Counts a frame that was found in a gap. @returns its position among the frames. */
  count(): number {
    return this.#index++
  }

  /**
   * Says that the content of `frame`, the latest one, is damaged. The damage may be in the size of a block, so its
   * end is doubted when no frame follows there. Returns where the scan goes on; absent where only a longer file will
   * tell, and then the frame comes again.
   */
  async distrust(frame: FrameSpan): Promise<number | undefined> {
    this.#hangsOnEnd = false
    this.#isDecided = true
    if (!(await this.#continuesAt(frame.end))) {
      this.#position = (await this.#boundaryIn(frame.offset + 1, frame.end)) ?? frame.end
    }
    if (!this.#isOpen) return this.#position
    this.#position = frame.offset
    this.#index = frame.index
    return undefined
  }

  /** @param torn - the header, when the frame at `offset` is torn to anyone who believes the sizes of its blocks. */
  #gap(offset: number, end: number, problem: string, torn: FrameHeader | undefined): GapSpan {
    // Without a whole frame before it, DSH finds no header and refuses the file.
    const hidesRest = this.#index > 0 && !this.#isDecided ? torn : undefined
    this.#position = end
    this.#isDecided = true
    return {
      kind: 'gap',
      offset,
      end,
      problem: `${problem} at byte ${offset}`,
      ...(hidesRest && { hidesRest }),
    }
  }

  /** Start of the first frame from `from` on; a torn one counts only when no whole one follows. */
  async #nextFrame(from: number): Promise<number> {
    let torn: number | undefined
    for await (const candidate of this.#magics(from, this.#file.length)) {
      const { kind } = await this.#walk(candidate, true)
      if (kind === 'frame') return candidate
      if (kind === 'torn') torn ??= candidate
    }
    return torn ?? this.#file.length
  }

  /** Start of the first frame in a range that is whole and followed by another frame or the end of the file. */
  async #boundaryIn(from: number, to: number): Promise<number | undefined> {
    for await (const candidate of this.#magics(from, to)) {
      const walk = await this.#walk(candidate, true)
      if (walk.kind === 'frame' && (await this.#continuesAt(walk.end))) return candidate
    }
    return undefined
  }

  async #continuesAt(offset: number): Promise<boolean> {
    const bytes = await this.#file.at(offset, FRAME_MAGIC.length)
    if (bytes.length < FRAME_MAGIC.length) this.#hangsOnEnd = true
    return FRAME_MAGIC.compare(bytes, 0, bytes.length, 0, bytes.length) === 0
  }

  async *#magics(from: number, to: number): AsyncIterable<number> {
    for (let start = from; start < to && this.#searchable > 0; ) {
      // The window is moved by whatever looks at a candidate, so a chunk is searched anew after each of them.
      const chunk = await this.#file.at(start, SEARCH_BYTES)
      const found = chunk.indexOf(FRAME_MAGIC)
      if (found === -1) {
        start += Math.max(1, chunk.length - FRAME_MAGIC.length + 1)
        continue
      }
      if (start + found >= to) return
      yield start + found
      start += found + 1
    }
  }

  async #walk(offset: number, searching = false): Promise<Walk> {
    const file = this.#file
    const read = decodeFrameHeader(await file.at(offset, LONGEST_HEADER))
    if (read.kind === 'short') {
      this.#hangsOnEnd = true
      return { kind: 'torn' }
    }
    if (read.kind === 'broken') return read
    const { header } = read
    const torn: Walk = { kind: 'torn', header }
    let position = offset + header.bytes
    let isOversized = false
    for (let last = false; !last; ) {
      if (searching && --this.#searchable < 0) return { kind: 'broken', problem: 'too much to search' }
      const bytes = await file.at(position, BLOCK_HEADER_BYTES)
      if (bytes.length < BLOCK_HEADER_BYTES) {
        this.#hangsOnEnd = true
        return isOversized ? oversized(header) : torn
      }
      const block = decodeBlockHeader(bytes, 0)
      if (block.type === 'reserved')
        return isOversized ? oversized() : { kind: 'broken', problem: 'reserved block type' }
      if (block.size > LARGEST_BLOCK) {
        // DSH believes the size, so it matters once where the blocks end that it would see.
        isOversized = true
        if (searching || this.#isDecided) return oversized()
      }
      position += BLOCK_HEADER_BYTES + block.payload
      if (position > file.length) {
        this.#hangsOnEnd = true
        return isOversized || block.size > header.windowSize ? oversized(header) : torn
      }
      last = block.last
    }
    if (isOversized) return oversized()
    if (header.hasChecksum) position += CHECKSUM_BYTES
    if (position <= file.length) return { kind: 'frame', end: position, header }
    this.#hangsOnEnd = true
    return torn
  }
}

/** @param reachesEnd - the header, when the sizes of the blocks reach past the end of the file. */
function oversized(reachesEnd?: FrameHeader): Walk {
  return { kind: 'broken', problem: 'oversized block', ...(reachesEnd && { reachesEnd }) }
}
