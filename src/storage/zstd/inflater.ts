/**
 * Decompresses one whole frame. Two implementations with the same answers: the zstd of Node where it has one, and
 * JavaScript with WebAssembly elsewhere. Either is loaded when the first frame is decoded.
 */
import type { FrameHeader } from './frame-header.ts'
import { nativeInflater } from './native-inflater.ts'
import { portableInflater } from './portable-inflater.ts'

export type Inflated =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'too-large'; readonly limit: number }
  /** The payload is damaged, or the checksum does not fit it. */
  | { readonly kind: 'damaged' }

/** Never throws, and stops before more than `limit` bytes are held. */
export type Inflater = (frame: Buffer, header: FrameHeader, limit: number) => Inflated

export async function openInflater(): Promise<Inflater> {
  return (await nativeInflater()) ?? (await portableInflater())
}
