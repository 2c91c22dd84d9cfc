/** Writes a repaired plain log: every record as it is, so a line that stays is the line it was. */
import type { FileHandle } from 'node:fs/promises'
import { jsonLine, type RecordSource, type StoredRecord } from '../record-source.ts'

/** Lines are gathered up to this size. */
const BATCH_BYTES = 256 * 1024
const LF = Buffer.from('\n')

/** @param written - called after each batch, for anyone who keeps account of what was left out. */
export async function writeLogLines(
  planned: RecordSource,
  target: FileHandle,
  written: () => Promise<void> = async () => {},
): Promise<void> {
  let batch: Buffer[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    if (size > 0) await target.writeFile(Buffer.concat(batch, size))
    batch = []
    size = 0
    await written()
  }
  for await (const items of planned.items()) {
    for (const item of items) {
      if (item.kind !== 'record') continue
      // The bytes of a record are a view that the next items overwrite.
      const line = Buffer.from(lineIn(item))
      batch.push(line, LF)
      size += line.length + 1
    }
    if (size >= BATCH_BYTES) await flush()
  }
  await flush()
}

/** The bytes of a record of a repaired log, which has no unreadable ones. */
export function lineIn({ content, line }: StoredRecord): Buffer {
  if (content.kind === 'bytes') return content.bytes
  if (content.kind === 'value') return jsonLine(content.value)
  throw new Error(`record ${line} of a repaired log cannot be read`)
}
