/**
 * The first 100 bytes of a database that SQLite does not take for one, as they most likely were: SQLite keeps nothing
 * there that the rest of the file does not tell, but for the size of a page, which has few possible values. Each try is
 * written to the private copy, and whether it is right shows when SQLite reads the schema.
 */
import { open } from 'node:fs/promises'

const MAGIC = Buffer.from('SQLite format 3\0')
const HEADER_BYTES = 100
const PAGE_SIZE = 16
const VERSIONS = 18
const FRACTIONS = 21
const PAGES = 28
const COOKIE = 40
const SCHEMA_FORMAT = 44
const ENCODING = 56
/** How the first page goes on after the header: it is the root of a tree of rows. */
const TREE_PAGES = [0x0d, 0x05]
const COMMON_SIZE = 4096
const PAGE_SIZES = [COMMON_SIZE, 512, 1024, 2048, 8192, 16384, 32768, 65536]

/** Rewrites the header of a file, once for every way in which it may have been. */
export async function* mendedHeaders(path: string): AsyncIterable<void> {
  const file = await open(path, 'r+')
  try {
    const stored = Buffer.alloc(HEADER_BYTES + 1)
    await file.read(stored, 0, stored.length, 0)
    if (!TREE_PAGES.includes(stored[HEADER_BYTES] as number)) return
    const { size } = await file.stat()
    const sizes = PAGE_SIZES.filter((pageSize) => size >= pageSize)
    const kept = stored.subarray(0, HEADER_BYTES)
    const headers = [
      withMagic(kept),
      ...sizes.map((pageSize) => withSize(withMagic(kept), pageSize)),
      ...sizes.map((pageSize) => freshHeader(pageSize, size)),
    ]
    for (const header of headers) {
      await file.write(header, 0, HEADER_BYTES, 0)
      yield
    }
  } finally {
    await file.close()
  }
}

/** The members that are the same in every database. */
function withMagic(stored: Buffer): Buffer {
  const header = Buffer.from(stored)
  MAGIC.copy(header)
  header.set([64, 32, 32], FRACTIONS)
  return header
}

function withSize(header: Buffer, pageSize: number): Buffer {
  header.writeUInt16BE(pageSize === 65536 ? 1 : pageSize, PAGE_SIZE)
  header.set([1, 1], VERSIONS)
  return header
}

function freshHeader(pageSize: number, size: number): Buffer {
  const header = withSize(withMagic(Buffer.alloc(HEADER_BYTES)), pageSize)
  header.writeUInt32BE(Math.floor(size / pageSize), PAGES)
  header.writeUInt32BE(1, COOKIE)
  header.writeUInt32BE(4, SCHEMA_FORMAT)
  header.writeUInt32BE(1, ENCODING)
  return header
}
