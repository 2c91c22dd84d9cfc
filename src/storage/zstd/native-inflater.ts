/** Decompression by the zstd of Node, one frame at a time: it ignores whatever follows the first. */
import type { Inflated, Inflater } from './inflater.ts'
import { LARGEST_WINDOW_LOG, nodeZstd } from './node-zstd.ts'

/** The decoder limits windows by itself, which the caller has done by its own, larger limit. */
const WINDOW_LOG = 31
const SMALLEST_CHUNK = 1024
const LARGEST_CHUNK = 256 * 1024

/** Absent on a Node without zstd. */
export async function nativeInflater(): Promise<Inflater | undefined> {
  const zstd = await nodeZstd()
  if (zstd === undefined) return undefined
  return (frame, header, limit): Inflated => {
    const expected = header.contentSize ?? frame.length * 4
    const chunkSize = Math.min(LARGEST_CHUNK, Math.max(SMALLEST_CHUNK, expected))
    const params = { [LARGEST_WINDOW_LOG]: WINDOW_LOG }
    try {
      const bytes = zstd.decompress(frame, { chunkSize, maxOutputLength: limit, params })
      return { kind: 'bytes', bytes }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === 'ERR_BUFFER_TOO_LARGE' ? { kind: 'too-large', limit } : { kind: 'damaged' }
    }
  }
}
