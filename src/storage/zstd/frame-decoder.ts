/**
 * One frame → its content, or why not. Compares what the header declares with what comes out, so that a frame that
 * would fill the memory is refused early. Knows nothing of lines or files.
 */
import { type Block, bareFrame, blocksOf, keepsRules } from './bare-frame.ts'
import { contentChecksum } from './content-checksum.ts'
import { type FrameHeader, LARGEST_BLOCK, LARGEST_WINDOW } from './frame-header.ts'
import { type Inflater, openInflater } from './inflater.ts'
import { type SalvagedFrame, salvageFrame } from './salvage-frame.ts'

export type DecodedFrame =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'corrupt'; readonly problem: string }

export type DecodedPrefix =
  /**
   * `isSound` when no block of it is damaged: of a damaged one DSH takes nothing. `isWhole` when the last block is there,
   * so that nothing but the checksum is cut off.
   */
  | {
      readonly kind: 'bytes'
      readonly bytes: Buffer
      readonly isSound: boolean
      readonly isWhole: boolean
    }
  | Extract<DecodedFrame, { kind: 'too-large' }>

const INVALID: DecodedFrame = {
  kind: 'corrupt',
  problem: 'its content does not agree with its checksum, its declared size or the rules of zstd',
}

export class FrameDecoder {
  readonly #inflate: Inflater
  readonly #limit: number

  /** @param limit - most bytes that a frame may decompress to. */
  static async open(limit: number): Promise<FrameDecoder> {
    return new FrameDecoder(await openInflater(), limit)
  }

  constructor(inflate: Inflater, limit: number) {
    this.#inflate = inflate
    this.#limit = limit
  }

  /** @param frame - exactly one frame, structurally whole. */
  decode(frame: Buffer, header: FrameHeader): DecodedFrame {
    const { contentSize } = header
    const problem = unreadable(header)
    if (problem !== undefined) return { kind: 'corrupt', problem }
    if (contentSize !== undefined && contentSize > this.#limit) {
      // What its blocks can hold at most tells a large frame from a wrong size.
      const most = blocksOf(frame, header).reduce((sum, block) => sum + mostContent(block), 0)
      return contentSize > most ? INVALID : { kind: 'too-large', limit: this.#limit }
    }
    const inflated = this.#inflate(frame, header, this.#limit)
    if (inflated.kind === 'damaged') return INVALID
    if (inflated.kind === 'bytes' && contentSize !== undefined && inflated.bytes.length !== contentSize)
      return INVALID
    return inflated
  }

  /** What a frame holds whose header is damaged. @param damaged - begins with the frame. */
  async salvage(damaged: Buffer): Promise<SalvagedFrame | undefined> {
    return salvageFrame(damaged, this.#inflate, await contentChecksum(), this.#limit)
  }

  /** What can be read of a frame that was cut: the content of its leading blocks, which nothing vouches for. */
  decodePrefix(torn: Buffer, header: FrameHeader): DecodedPrefix {
    const blocks = unreadable(header) === undefined ? blocksOf(torn, header) : []
    let best: Buffer = Buffer.alloc(0)
    // Blocks depend on those before them, so the readable ones are the first; how many is found by halving.
    let readable = 0
    for (let broken = blocks.length + 1, count = blocks.length; count > readable; ) {
      const bare = bareFrame(torn, header, blocks.slice(0, count))
      const inflated = this.#inflate(bare.bytes, bare.header, this.#limit)
      if (inflated.kind === 'too-large') return inflated
      if (inflated.kind === 'bytes') {
        best = inflated.bytes
        readable = count
      } else broken = count
      count = (readable + broken) >> 1
    }
    // Without the end of the frame, decoders want a window of the declared size, also where the content is one.
    const isSound =
      header.windowSize <= LARGEST_WINDOW && blocks.length === readable && keepsRules(torn, header, blocks)
    const isWhole = blocks.at(-1)?.last === true && blocks.length === readable
    return { kind: 'bytes', bytes: best, isSound, isWhole }
  }
}

function mostContent({ type, size }: Block): number {
  return type === 'compressed' ? LARGEST_BLOCK : size
}

function unreadable({ dictionaryId, windowSize, contentSize }: FrameHeader): string | undefined {
  if (dictionaryId !== 0) return `it needs the dictionary ${dictionaryId}`
  // A frame in one segment has its content for a window, which the limit judges.
  if (windowSize > LARGEST_WINDOW && windowSize !== contentSize)
    return `it asks for a window of ${windowSize} bytes`
  return undefined
}
