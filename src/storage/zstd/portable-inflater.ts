/**
 * Decompression without the zstd of Node. The library ignores checksums and reserves the declared window, so it gets
 * the blocks alone, hands out what each holds, and the checksum is verified here.
 */
import { bareFrame, blocksOf, FARTHEST_REFERENCE } from './bare-frame.ts'
import { contentChecksum } from './content-checksum.ts'
import { CHECKSUM_BYTES } from './frame-header.ts'
import { hasEndlessWeights } from './huffman-weights.ts'
import type { Inflated, Inflater } from './inflater.ts'

export async function portableInflater(): Promise<Inflater> {
  const [{ Decompress }, checksumOf] = await Promise.all([import('fzstd'), contentChecksum()])
  return (frame, header, limit): Inflated => {
    const blocks = blocksOf(frame, header)
    if (blocks.length === 0 || blocks.some((block) => hasEndlessWeights(frame, block)))
      return { kind: 'damaged' }
    const pieces: Uint8Array[] = []
    let held = 0
    const stream = new Decompress((piece) => {
      held += piece.length
      if (held > limit) throw new Error('over the limit')
      pieces.push(piece)
    })
    try {
      stream.push(bareFrame(frame, header, blocks).bytes, true)
    } catch {
      return held > limit ? { kind: 'too-large', limit } : unreliable(held)
    }
    const bytes = Buffer.concat(pieces, held)
    const stored = header.hasChecksum ? frame.readUInt32LE(frame.length - CHECKSUM_BYTES) : undefined
    return stored === undefined || stored === checksumOf(bytes) ? { kind: 'bytes', bytes } : unreliable(held)
  }
}

/** Beyond the reach of the library a wrong content is no proof of damage. */
function unreliable(held: number): Inflated {
  return held > FARTHEST_REFERENCE ? { kind: 'too-large', limit: FARTHEST_REFERENCE } : { kind: 'damaged' }
}
