import { closeSync, openSync, readSync } from 'node:fs'

/** The first bytes. The turns of an event loop would take longer than reading them, and a store has thousands of logs. */
export function firstBytes(path: string, most: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(most)
    return bytes.subarray(0, readSync(file, bytes, 0, most, 0))
  } finally {
    closeSync(file)
  }
}
