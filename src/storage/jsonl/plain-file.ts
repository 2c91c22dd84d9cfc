/** A plain JSONL file as a source of records: read in chunks, front to back, opened for reading only. */
import { open } from 'node:fs/promises'
import type { Mark, RawRecord, ReadLimits, RecordSource } from '../record-source.ts'
import { LineScanner } from './line-scanner.ts'

const CHUNK_BYTES = 1024 * 1024

export function plainFile(path: string, limits: ReadLimits): RecordSource {
  return {
    async *records(from?: Mark): AsyncIterable<readonly RawRecord[]> {
      const scanner = new LineScanner(limits.maxRecord, from)
      const file = await open(path, 'r')
      try {
        const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
        let position = from?.byteOffset ?? 0
        for (;;) {
          const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position)
          if (bytesRead === 0) break
          position += bytesRead
          const records = scanner.push(chunk.subarray(0, bytesRead))
          if (records.length > 0) yield records
        }
      } finally {
        await file.close()
      }
      const last = scanner.finish()
      if (last !== undefined) yield [last]
    },
  }
}
