/**
 * Writes the lines of a log into an open file, plain or as zstd frames: the header alone in the first frame, then whole
 * lines in each (format.md §2.5).
 */
import type { FileHandle } from 'node:fs/promises'
import type { Container } from '../detect.ts'

/** Lines are gathered up to this size before they are written or become a frame. */
export const BATCH_BYTES = 128 * 1024
const LF = Buffer.from('\n')

/** @param lines - the header first. */
export async function writeTextLog(
  file: Pick<FileHandle, 'writeFile'>,
  lines: AsyncIterable<Buffer>,
  container: Extract<Container, 'jsonl' | 'zstd'>,
): Promise<void> {
  const flush = await blockWriter(file, container)
  let batch: Buffer[] = []
  let size = 0
  let isHeader = true
  for await (const line of lines) {
    batch.push(line, LF)
    size += line.length + 1
    if (size < BATCH_BYTES && !isHeader) continue
    isHeader = false
    await flush(Buffer.concat(batch))
    batch = []
    size = 0
  }
  if (size > 0) await flush(Buffer.concat(batch))
}

/** Writes what was gathered, as it is or as a frame. */
export async function blockWriter(
  file: Pick<FileHandle, 'writeFile'>,
  container: Extract<Container, 'jsonl' | 'zstd'>,
): Promise<(bytes: Buffer) => Promise<void>> {
  if (container === 'jsonl') return (bytes) => file.writeFile(bytes)
  const { writeFrame } = await import('../zstd/frame-writer.ts')
  return async (bytes) => file.writeFile(await writeFrame(bytes))
}
