/** The checksum at the end of a frame: the low 32 bits of the XXH64 of the content. */
export type ContentChecksum = (content: Uint8Array) => number

/** Hashing copies into the memory of the module, which never shrinks again. */
const PIECE_BYTES = 1024 * 1024

let loaded: Promise<ContentChecksum> | undefined

export function contentChecksum(): Promise<ContentChecksum> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<ContentChecksum> {
  const { default: xxhash } = await import('xxhash-wasm')
  const { create64, h64Raw } = await xxhash()
  return (content) => {
    if (content.length <= PIECE_BYTES) return low32(h64Raw(content))
    const hash = create64()
    for (let at = 0; at < content.length; at += PIECE_BYTES) {
      hash.update(content.subarray(at, at + PIECE_BYTES))
    }
    return low32(hash.digest())
  }
}

function low32(hash: bigint): number {
  return Number(BigInt.asUintN(32, hash))
}
