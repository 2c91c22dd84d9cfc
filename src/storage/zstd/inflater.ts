/**
 * Decompresses one whole frame. Two implementations with the same answers: the zstd of Node where it has one, and
 * JavaScript with WebAssembly elsewhere, loaded only where it is needed.
 */
import type { FrameHeader } from './frame-header.ts'
import { LARGEST_WINDOW_LOG, nodeZstd } from './node-zstd.ts'

export type Inflated =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'too-large'; readonly limit: number }
  /** The payload is damaged, or the checksum does not fit it. */
  | { readonly kind: 'damaged' }

/** Never throws, and stops before more than `limit` bytes are held. */
export type Inflater = (frame: Buffer, header: FrameHeader, limit: number) => Inflated

export async function openInflater(): Promise<Inflater> {
  return (await nativeInflater()) ?? (await import('./portable-inflater.ts')).portableInflater()
}

/** The decoder limits windows by itself, which the caller has done by its own, larger limit. */
const WINDOW_LOG = 31
const SMALLEST_CHUNK = 1024
const LARGEST_CHUNK = 256 * 1024

/** The zstd of Node, one frame at a time: it ignores whatever follows the first. Absent where Node has none. */
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
