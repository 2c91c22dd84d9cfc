/** The zstd functions of `node:zlib`, which Node has from 22.15 on. */
import type { ZlibOptions } from 'node:zlib'

interface ZstdOptions extends Pick<ZlibOptions, 'chunkSize' | 'maxOutputLength'> {
  readonly params?: Readonly<Record<number, number>>
}

export interface NodeZstd {
  readonly compress: (bytes: Uint8Array, options: ZstdOptions) => Buffer
  readonly decompress: (bytes: Uint8Array, options: ZstdOptions) => Buffer
}

/** Parameters of the zstd library; Node names them only where it has zstd. */
export const CHECKSUM_FLAG = 201
export const LARGEST_WINDOW_LOG = 100

export async function nodeZstd(): Promise<NodeZstd | undefined> {
  const zlib: object = await import('node:zlib')
  const { zstdCompressSync, zstdDecompressSync } = zlib as {
    zstdCompressSync?: NodeZstd['compress']
    zstdDecompressSync?: NodeZstd['decompress']
  }
  if (zstdCompressSync === undefined || zstdDecompressSync === undefined) return undefined
  return { compress: zstdCompressSync, decompress: zstdDecompressSync }
}
