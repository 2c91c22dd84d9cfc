/**
 * A compressed log that still grows, as a source of records: from the last whole frame on. A frame that the end of the
 * file cuts is not there yet, and damage whose extent hangs on where the file ends is judged when there is more.
 */
import type { ReadLimits, StoredDeltas, StoredItem } from '../record-source.ts'
import { FileWindow } from '../zstd/file-window.ts'
import { FrameReader } from '../zstd/frame-reader.ts'
import { zstdFile } from '../zstd/zstd-file.ts'
import { type GrowingFile, openGrowing } from './growing-file.ts'
import { type GrowingSource, growingText } from './growing-source.ts'
import { LogReplaced, REWRITTEN } from './log-replaced.ts'
import { ReadPosition } from './read-position.ts'

export function growingFrames(file: GrowingFile, limits: ReadLimits): GrowingSource {
  return growingText(
    (withRuns, waits) => batchesOf(file, limits, withRuns, waits),
    () => zstdFile(file.path, limits).items(),
  )
}

/** @param waits - is told before every wait for more. */
async function* batchesOf(
  file: GrowingFile,
  limits: ReadLimits,
  withRuns: boolean,
  waits: () => void,
): AsyncIterable<readonly (StoredItem | StoredDeltas)[]> {
  const { watch } = file
  const handle = await openGrowing(file)
  try {
    const window = new FileWindow(handle, 0)
    const reader = await FrameReader.open(window, limits, withRuns)
    let position = ReadPosition.START
    for (;;) {
      const { version, isComplete, state } = watch
      window.renew(Number(state.size), isComplete)
      for (;;) {
        const batch = await reader.next()
        const next = await ReadPosition.at(reader.position, handle)
        // Looked at after the reading, so that what was read belongs to what was read before.
        if (!(await position.isUnchangedIn(handle))) throw new LogReplaced(REWRITTEN)
        position = next
        if (batch === undefined) break
        yield batch
      }
      if (isComplete) return
      waits()
      await watch.changedSince(version)
    }
  } finally {
    await handle.close()
  }
}
