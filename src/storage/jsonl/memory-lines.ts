/** Lines in memory as a source of records, as if they were in a plain file. */
import type { ReadLimits, RecordSource, StoredRecord } from '../record-source.ts'

export interface MemoryLine {
  /** Without its line feed. */
  readonly bytes: Buffer
  /** Whether a line feed follows. */
  readonly ended: boolean
}

export function memoryLines(lines: readonly MemoryLine[], { maxRecord }: ReadLimits): RecordSource {
  const records: StoredRecord[] = []
  let byteOffset = 0
  for (const [index, { bytes, ended }] of lines.entries()) {
    const line = index + 1
    const content =
      bytes.length > maxRecord
        ? ({ kind: 'oversize', bytes: bytes.length } as const)
        : ({ kind: 'bytes', bytes } as const)
    const origin = { line, byteOffset, byteLength: bytes.length }
    records.push({ kind: 'record', line, origin, content, ended })
    byteOffset += bytes.length + 1
  }
  return {
    async *items(fromLine = 1) {
      yield records.slice(fromLine - 1)
    },
  }
}

/** The file that the lines make. */
export function fileOf(lines: readonly MemoryLine[]): Buffer {
  return Buffer.concat(lines.flatMap(({ bytes, ended }) => (ended ? [bytes, LF] : [bytes])))
}

const LF = Buffer.from('\n')
