/** Writes neutral lines into an open file, plain or as zstd frames with the lines that each of them had. */
import type { FileHandle } from 'node:fs/promises'
import type { NeutralLine } from './neutral-lines.ts'

/** Plain lines are gathered up to this size. */
const BATCH_BYTES = 128 * 1024
const LF = Buffer.from('\n')

export async function writeNeutralLog(
  file: FileHandle,
  lines: AsyncIterable<NeutralLine>,
  container: 'jsonl' | 'zstd',
): Promise<void> {
  const isZstd = container === 'zstd'
  const encode = isZstd ? (await import('../../storage/zstd/frame-writer.ts')).writeFrame : undefined
  let batch: Buffer[] = []
  let size = 0
  let inFrame: number | undefined
  const flush = async (): Promise<void> => {
    if (size === 0) return
    const content = Buffer.concat(batch, size)
    await file.writeFile(encode === undefined ? content : await encode(content))
    batch = []
    size = 0
  }
  for await (const { bytes, ended, frame } of lines) {
    if (isZstd ? frame !== inFrame : size >= BATCH_BYTES) await flush()
    inFrame = frame
    batch.push(bytes)
    size += bytes.length
    if (!ended) continue
    batch.push(LF)
    size += 1
  }
  await flush()
}
