/** The last whole lines of a file, for anyone who does not need what comes before them. */
import { open } from 'node:fs/promises'
import type { StoredRecord } from '../record-source.ts'
import { LineScanner } from './line-scanner.ts'

/** Lines that lie wholly in the last `bytes` of the file; their line numbers and offsets are not those of the file. */
export async function fileEnd(path: string, bytes: number): Promise<readonly StoredRecord[]> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(size - bytes, 0)
    const tail = Buffer.alloc(size - start)
    const { bytesRead } = await file.read(tail, 0, tail.length, start)
    const scanner = new LineScanner(bytes)
    const records = scanner.push(tail.subarray(0, bytesRead))
    const last = scanner.finish()
    // The first line begins somewhere before, unless the whole file was read.
    const whole = start === 0 ? records : records.slice(1)
    return last === undefined ? whole : [...whole, last]
  } finally {
    await file.close()
  }
}
