/** The records of a log as lines of text, for what carries them elsewhere. Bytes stay what they are. */
import { jsonLine, type RecordContent, type RecordSource } from '../../storage/record-source.ts'

export interface StoredLine {
  /** Number of the record, from 1. */
  readonly line: number
  /** Without the line feed; a copy. Absent when the record could not be read. */
  readonly bytes: Buffer | undefined
  /** Whether it was written whole. */
  readonly ended: boolean
}

export async function* storedLines(source: RecordSource): AsyncIterable<StoredLine> {
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind === 'record') yield { line: item.line, bytes: bytesOf(item.content), ended: item.ended }
    }
  }
}

function bytesOf(content: RecordContent): Buffer | undefined {
  if (content.kind === 'bytes') return Buffer.from(content.bytes)
  return content.kind === 'value' ? jsonLine(content.value) : undefined
}
