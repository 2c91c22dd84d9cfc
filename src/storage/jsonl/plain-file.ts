/** A plain JSONL file as a source of records: read in chunks, front to back, opened for reading only. */
import { readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { DeltaScanner } from '../packed-rows/delta-lines.ts'
import type { ReadLimits, RecordSource, StoredDeltas, StoredRecord } from '../record-source.ts'
import { LineScanner } from './line-scanner.ts'

const CHUNK_BYTES = 256 * 1024

export function plainFile(path: string, limits: ReadLimits): RecordSource {
  return {
    async *items(fromLine = 1): AsyncIterable<readonly StoredRecord[]> {
      const scanner = new LineScanner(limits.maxRecord)
      for await (const chunk of chunksOf(path)) {
        const records = scanner.push(chunk)
        const wanted = fromLine > 1 ? records.filter(({ line }) => line >= fromLine) : records
        if (wanted.length > 0) yield wanted
      }
      const last = scanner.finish()
      if (last !== undefined) yield [last]
    },
    async *itemsWithRuns(): AsyncIterable<readonly (StoredRecord | StoredDeltas)[]> {
      const scanner = new LineScanner(limits.maxRecord)
      const deltas = new DeltaScanner(limits.maxRecord)
      for await (const chunk of chunksOf(path)) yield scanner.pushWithRuns(chunk, deltas)
      const last = scanner.finish()
      if (last !== undefined) yield [last]
    },
  }
}

/** The file in chunks, the next one being read while the last one is used; so each is valid until the next. */
async function* chunksOf(path: string): AsyncIterable<Buffer> {
  const status = statSync(path)
  // At once, for a store has thousands of small logs.
  if (status.isFile() && status.size <= CHUNK_BYTES) {
    yield readFileSync(path)
    return
  }
  const file = await open(path, 'r')
  try {
    const chunks = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)] as const
    let turn = 0
    let reading = file.read(chunks[0], 0, CHUNK_BYTES, null)
    try {
      for (;;) {
        const { bytesRead, buffer } = await reading
        if (bytesRead === 0) return
        turn = 1 - turn
        reading = file.read(chunks[turn as 0 | 1], 0, CHUNK_BYTES, null)
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      // Anyone who stops early leaves a chunk that is still being read.
      await reading.catch(() => undefined)
    }
  } finally {
    await file.close()
  }
}
