/** Writes neutral lines into an open file, plain or as zstd frames with the lines that each of them had. */
import type { FileHandle } from 'node:fs/promises'
import { BATCH_BYTES, blockWriter } from '../../storage/rewrite/write-text-log.ts'
import type { NeutralLine } from './neutral-lines.ts'

const LF = Buffer.from('\n')

export async function writeNeutralLog(
  file: FileHandle,
  lines: AsyncIterable<NeutralLine>,
  container: 'jsonl' | 'zstd',
): Promise<void> {
  const isZstd = container === 'zstd'
  const write = await blockWriter(file, container)
  let batch: Buffer[] = []
  let size = 0
  let inFrame: number | undefined
  const flush = async (): Promise<void> => {
    if (size === 0) return
    await write(Buffer.concat(batch, size))
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
