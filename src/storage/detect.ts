/** What a file is, from its first bytes; and what its name says it is. */
import { closeSync, openSync, readSync } from 'node:fs'

export type Container = 'jsonl' | 'zstd' | 'gzip' | 'sqlite'

const MAGIC: readonly (readonly [container: Container, bytes: Buffer])[] = [
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['sqlite', Buffer.from('SQLite format 3\0')],
]

export async function containerOf(path: string): Promise<Container> {
  // The turns of an event loop would take longer than these sixteen bytes, and a store has thousands of logs.
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(16)
    const bytesRead = readSync(file, head, 0, head.length, 0)
    for (const [container, magic] of MAGIC) {
      if (bytesRead >= magic.length && head.subarray(0, magic.length).equals(magic)) return container
    }
    return 'jsonl'
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
