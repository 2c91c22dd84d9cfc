/**
 * A plain JSONL file that still grows, as a source of records. Read is what is new since the last look; a line without
 * its line feed is not there yet, and may be cut off and written otherwise without anything being read again.
 */
import type { FileHandle } from 'node:fs/promises'
import { LineScanner } from '../jsonl/line-scanner.ts'
import { plainFile } from '../jsonl/plain-file.ts'
import { DeltaScanner } from '../packed-rows/delta-lines.ts'
import type { ReadLimits, StoredDeltas, StoredItem } from '../record-source.ts'
import { type GrowingFile, openGrowing } from './growing-file.ts'
import { type GrowingSource, growingText } from './growing-source.ts'
import { LogReplaced, REWRITTEN } from './log-replaced.ts'
import { ReadPosition } from './read-position.ts'

const CHUNK_BYTES = 1024 * 1024
const LF = 10

export function growingLines(file: GrowingFile, limits: ReadLimits): GrowingSource {
  return growingText(
    (withRuns, waits) => batchesOf(file, limits, withRuns, waits),
    () => plainFile(file.path, limits).items(),
  )
}

/** @param waits - is told before every wait for more. */
async function* batchesOf(
  file: GrowingFile,
  { maxRecord }: ReadLimits,
  withRuns: boolean,
  waits: () => void,
): AsyncIterable<readonly (StoredItem | StoredDeltas)[]> {
  const { watch } = file
  const scanner = new LineScanner(maxRecord)
  const deltas = withRuns ? new DeltaScanner(maxRecord) : undefined
  const handle = await openGrowing(file)
  try {
    /** Up to the last line end, and up to the last byte that was read. */
    let whole = ReadPosition.START
    let read = ReadPosition.START
    for (;;) {
      const { version, isComplete, state } = watch
      for (;;) {
        const chunk = await chunkAt(handle, read.offset, Number(state.size))
        // Looked at after the reading, so that what was read belongs to what was read before.
        if (!(await read.isUnchangedIn(handle))) {
          if (!(await whole.isUnchangedIn(handle))) throw new LogReplaced(REWRITTEN)
          scanner.forget()
          read = whole
          continue
        }
        if (chunk.length === 0) break
        const lineEnd = chunk.lastIndexOf(LF) + 1
        if (lineEnd > 0) whole = read.after(chunk.subarray(0, lineEnd))
        read = read.after(chunk)
        yield deltas === undefined ? scanner.push(chunk) : scanner.pushWithRuns(chunk, deltas)
      }
      if (isComplete) break
      waits()
      await watch.changedSince(version)
    }
    const last = scanner.finish()
    if (last !== undefined) yield [last]
  } finally {
    await handle.close()
  }
}

async function chunkAt(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const wanted = Math.max(0, Math.min(CHUNK_BYTES, to - from))
  if (wanted === 0) return Buffer.alloc(0)
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, from)
  return buffer.subarray(0, bytesRead)
}
