/** Writes the lines of a copy into an open file, plain or as zstd frames with the lines that each of them had. */
import type { FileHandle } from 'node:fs/promises'
import { BATCH_BYTES, blockWriter } from '../../storage/rewrite/write-text-log.ts'
import { writeCorruptFrame, writeTornFrame } from '../../storage/zstd/frame-writer.ts'
import type { CopiedDamage, CopiedLine } from './copied-lines.ts'

const LF = Buffer.from('\n')
/** Begins no frame. */
const NO_FRAME = Buffer.alloc(16, 0xff)

export async function writeCopiedLog(
  file: FileHandle,
  lines: AsyncIterable<CopiedLine | CopiedDamage>,
  container: 'jsonl' | 'zstd',
): Promise<void> {
  const isZstd = container === 'zstd'
  const write = await blockWriter(file, container)
  let batch: Buffer[] = []
  let size = 0
  let inFrame: number | undefined
  let torn: number | undefined
  const flush = async (): Promise<void> => {
    const content = Buffer.concat(batch, size)
    batch = []
    size = 0
    if (torn !== undefined && torn === inFrame) await file.writeFile(writeTornFrame(content))
    else if (content.length > 0) await write(content)
  }
  for await (const line of lines) {
    if (line.kind !== 'line') {
      if (!isZstd) continue
      await flush()
      // The records of a torn frame come after it.
      inFrame = line.frame
      if (line.kind === 'torn-frame') torn = line.frame
      else await file.writeFile(line.kind === 'corrupt-frame' ? await writeCorruptFrame() : NO_FRAME)
      continue
    }
    const { bytes, ended, frame } = line
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
