/**
 * Decompression without the zstd of Node. The library ignores checksums and reserves the declared window, so it gets
 * the blocks alone, hands out what each holds, and the checksum is verified here.
 */
import { type Block, bareFrame, blocksOf, FARTHEST_REFERENCE } from './bare-frame.ts'
import { contentChecksum } from './content-checksum.ts'
import { BLOCK_HEADER_BYTES, CHECKSUM_BYTES } from './frame-header.ts'
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

const COMPRESSED_LITERALS = 2
/** Lengths of the literals header by its size format. */
const LITERALS_HEADER_BYTES = [3, 3, 4, 5] as const
/** From here on the weights are stored directly. */
const DIRECT_WEIGHTS = 128
const LARGEST_ACCURACY = 6

/**
 * Recognises one kind of damage that the portable decoder does not survive: a table for Huffman weights that gives
 * every state to one symbol. Reading a symbol then takes no bits, and the decoder never comes to the end of them.
 */
function hasEndlessWeights(frame: Buffer, block: Block): boolean {
  if (block.type !== 'compressed') return false
  const start = block.offset + BLOCK_HEADER_BYTES
  const payload = frame.subarray(start, start + block.payload)
  const first = payload[0] ?? 0
  if ((first & 3) !== COMPRESSED_LITERALS) return false
  const tree = LITERALS_HEADER_BYTES[(first >> 2) & 3] as number
  const kind = payload[tree]
  return kind !== undefined && kind < DIRECT_WEIGHTS && givesAllToOne(payload.subarray(tree + 1))
}

/** Reads a table description up to its first symbol that gets any state. */
function givesAllToOne(table: Buffer): boolean {
  const accuracy = ((table[0] ?? 0) & 15) + 5
  if (accuracy > LARGEST_ACCURACY) return false
  const states = 1 << accuracy
  const threshold = states * 2 - 2 - states
  let position = 4
  const take = (count: number): number => {
    const byte = position >> 3
    const word = (table[byte] ?? 0) | ((table[byte + 1] ?? 0) << 8)
    return (word >> (position & 7)) & ((1 << count) - 1)
  }
  while (position < table.length * 8) {
    let value = take(accuracy + 1)
    const short = value & (states - 1)
    if (short < threshold) {
      position += accuracy
      value = short
    } else {
      position += accuracy + 1
      if (value >= states) value -= threshold
    }
    if (value !== 1) return value === states + 1
    // The symbol gets no state; two bits say how many more get none.
    let repeat: number
    do {
      repeat = take(2)
      position += 2
    } while (repeat === 3)
  }
  return false
}
