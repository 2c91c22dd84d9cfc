/** Writes a repaired plain or compressed log; whole lines and whole frames of the original are copied as they are. */
import { copyRange, writeFileWhole } from '../write-file.ts'
import { addedLines, BYTE_ORDER_MARK_BYTES, type RepairedLog } from './repaired-log.ts'

/** @param verify - looks at the written file before it takes the name `output`. */
export async function rewriteTextLog(
  log: RepairedLog,
  container: 'jsonl' | 'zstd',
  output: string,
  verify: (written: string) => Promise<void>,
): Promise<void> {
  await writeFileWhole(
    output,
    async (target) => {
      await copyRange(log.file, log.dropByteOrderMark ? BYTE_ORDER_MARK_BYTES : 0, log.cutAt, target)
      const added = addedLines(log)
      if (added.length === 0) return
      await target.writeFile(container === 'zstd' ? await frameOf(added) : added)
    },
    verify,
  )
}

async function frameOf(bytes: Buffer): Promise<Buffer> {
  const { writeFrame } = await import('../zstd/frame-writer.ts')
  return writeFrame(bytes)
}
