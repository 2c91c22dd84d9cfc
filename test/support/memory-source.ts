/** Bytes as a source of records, without a file. */
import { LineScanner } from '../../src/storage/jsonl/line-scanner.ts'
import { DEFAULT_LIMITS, type ReadLimits, type RecordSource } from '../../src/storage/record-source.ts'

export function memorySource(bytes: Buffer, limits: ReadLimits = DEFAULT_LIMITS): RecordSource {
  return {
    async *items(fromLine = 1) {
      const scanner = new LineScanner(limits.maxRecord)
      const records = scanner.push(bytes)
      const last = scanner.finish()
      if (last !== undefined) records.push(last)
      yield records.filter(({ line }) => line >= fromLine)
    },
  }
}
