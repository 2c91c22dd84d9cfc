/** A plain JSONL file as a source of records: read in chunks, front to back, opened for reading only. */
import { open } from 'node:fs/promises'
import type { ReadLimits, RecordSource, StoredRecord } from '../record-source.ts'
import { LineScanner } from './line-scanner.ts'

const CHUNK_BYTES = 1024 * 1024

export function plainFile(path: string, limits: ReadLimits): RecordSource {
  return {
    async *items(fromLine = 1): AsyncIterable<readonly StoredRecord[]> {
      const scanner = new LineScanner(limits.maxRecord)
      const file = await open(path, 'r')
      try {
        const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
        for (;;) {
          const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null)
          if (bytesRead === 0) break
          const records = scanner.push(chunk.subarray(0, bytesRead))
          const wanted = fromLine > 1 ? records.filter(({ line }) => line >= fromLine) : records
          if (wanted.length > 0) yield wanted
        }
      } finally {
        await file.close()
      }
      const last = scanner.finish()
      if (last !== undefined) yield [last]
    },
  }
}
