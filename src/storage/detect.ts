/** What a file is, from its first bytes; and what its name says it is. */
import { closeSync, openSync, readSync } from 'node:fs'

export type Container = 'jsonl' | 'zstd' | 'gzip' | 'sqlite'

const MAGIC: readonly (readonly [container: Container, bytes: Buffer])[] = [
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['sqlite', Buffer.from('SQLite format 3\0')],
]

export async function containerOf(path: string): Promise<Container> {
  const head = headOf(path)
  return MAGIC.find(([, magic]) => startsWith(head, magic))?.[0] ?? 'jsonl'
}

/** The same of a file that is still being made; `undefined` while its first bytes can become one or another. */
export async function growingContainerOf(path: string): Promise<Container | undefined> {
  const head = headOf(path)
  const isOpen = MAGIC.some(([, magic]) => head.length < magic.length && startsWith(magic, head))
  return isOpen ? undefined : containerOf(path)
}

/** Whether the first bytes say nothing: there are none, or a crash has left NUL bytes in their place. */
export function saysNothing(path: string): boolean {
  return headOf(path).every((byte) => byte === 0)
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.length >= start.length && bytes.subarray(0, start.length).equals(start)
}

function headOf(path: string): Buffer {
  // The turns of an event loop would take longer than these sixteen bytes, and a store has thousands of logs.
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(16)
    return head.subarray(0, readSync(file, head, 0, head.length, 0))
  } finally {
    closeSync(file)
  }
}

/** What the suffix promises; `undefined` when it promises nothing. */
export function namedContainer(path: string): Container | undefined {
  if (/\.zstd?$/i.test(path)) return 'zstd'
  if (/\.gz$/i.test(path)) return 'gzip'
  if (/\.(?:db|sqlite3?)$/i.test(path)) return 'sqlite'
  return /\.jsonl$/i.test(path) ? 'jsonl' : undefined
}
