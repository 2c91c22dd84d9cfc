/** What a file is, from its first bytes where those are whole, and from what it holds otherwise; and what its name says. */
import { firstBytes } from './first-bytes.ts'

export type Container = 'jsonl' | 'zstd' | 'gzip' | 'sqlite'

const MAGIC = {
  zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  gzip: Buffer.from([0x1f, 0x8b]),
  sqlite: Buffer.from('SQLite format 3\0'),
} as const
const KINDS = ['zstd', 'gzip', 'sqlite'] as const

const HEAD_BYTES = 24
/** Where the first whole frame of a compressed log with a damaged beginning is looked for. */
const SEARCH_BYTES = 1024 * 1024

export async function containerOf(path: string): Promise<Container> {
  const head = headOf(path)
  const container = KINDS.find((kind) => startsWith(head, MAGIC[kind]))
  if (container !== undefined) return container
  const named = namedContainer(path)
  const isPlain = opensText(head) && named !== 'zstd'
  return isPlain ? 'jsonl' : damagedContainerOf(firstBytes(path, SEARCH_BYTES), named)
}

function damagedContainerOf(bytes: Buffer, named: Container | undefined): Container {
  if (hasDatabaseHeader(bytes)) return 'sqlite'
  if (bytes.includes(MAGIC.zstd)) return 'zstd'
  // Rows of a database and frames of a small log hold their text as it is, so lines of text say nothing of a database.
  const isBinary = bytes.includes(0) && bytes.some((byte) => byte !== 0)
  if (named === 'sqlite' && isBinary) return 'sqlite'
  const hasRecords = /(?:^|[\n\0])\s*\{\s*"/.test(bytes.toString('latin1'))
  return named === 'zstd' && isBinary && !hasRecords ? 'zstd' : 'jsonl'
}

/** Whether the first bytes begin a JSON text, in UTF-8 or UTF-16. */
function opensText(head: Buffer): boolean {
  const [first] = head.toString('latin1').replaceAll(/[\0\s]|^\xef\xbb\xbf|^\xff\xfe|^\xfe\xff/g, '')
  return first === '{' || first === '['
}

/** The part of the header of a database that is the same in each: page versions, and fractions of a payload. */
function hasDatabaseHeader(head: Buffer): boolean {
  const isVersion = (byte: number | undefined): boolean => byte === 1 || byte === 2
  return isVersion(head[18]) && isVersion(head[19]) && head.subarray(21, 24).equals(Buffer.from([64, 32, 32]))
}

/** The same of a file that is still being made; `undefined` while what it has can become one or another. */
export async function growingContainerOf(path: string): Promise<Container | undefined> {
  const head = headOf(path)
  const isOpen = KINDS.some((kind) => head.length < MAGIC[kind].length && startsWith(MAGIC[kind], head))
  return isOpen || (mayBeFrames(path, head) && !isTold(path, head)) ? undefined : containerOf(path)
}

/** Whether a file with a damaged beginning may be a compressed log all the same. */
function mayBeFrames(path: string, head: Buffer): boolean {
  const named = namedContainer(path)
  return named === 'zstd' || (named === undefined && !opensText(head))
}

/** Whether what follows cannot make another container of it. */
function isTold(path: string, head: Buffer): boolean {
  if (KINDS.some((kind) => startsWith(head, MAGIC[kind]))) return true
  const bytes = firstBytes(path, SEARCH_BYTES)
  const isWhole = head.length === HEAD_BYTES && (hasDatabaseHeader(head) || bytes.includes(MAGIC.zstd))
  return isWhole || bytes.length === SEARCH_BYTES
}

/** Whether the first bytes say nothing: there are none, or a crash has left NUL bytes in their place. */
export function saysNothing(path: string): boolean {
  return headOf(path).every((byte) => byte === 0)
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.length >= start.length && bytes.subarray(0, start.length).equals(start)
}

function headOf(path: string): Buffer {
  return firstBytes(path, HEAD_BYTES)
}

/** What the suffix promises; `undefined` when it promises nothing. */
export function namedContainer(path: string): Container | undefined {
  if (/\.zstd?$/i.test(path)) return 'zstd'
  if (/\.gz$/i.test(path)) return 'gzip'
  if (/\.(?:db|sqlite3?)$/i.test(path)) return 'sqlite'
  return /\.jsonl$/i.test(path) ? 'jsonl' : undefined
}
