/** A compressed log as a source of records: frame by frame, front to back, opened for reading only. */
import type { ReadLimits, RecordSource, StoredDeltas, StoredItem } from '../record-source.ts'
import { FileWindow } from './file-window.ts'
import { FrameReader } from './frame-reader.ts'

/** Anyone who comes back for a later line has seen the faults already, so those are given only from the start. */
export function zstdFile(path: string, limits: ReadLimits): RecordSource {
  return {
    async *items(fromLine = 1): AsyncIterable<readonly StoredItem[]> {
      for await (const batch of batchesOf(path, limits, false)) {
        const items = batch as readonly StoredItem[]
        const wanted =
          fromLine > 1 ? items.filter((item) => item.kind === 'record' && item.line >= fromLine) : items
        if (wanted.length > 0) yield wanted
      }
    },
    itemsWithRuns: () => batchesOf(path, limits, true),
  }
}

async function* batchesOf(
  path: string,
  limits: ReadLimits,
  withRuns: boolean,
): AsyncIterable<readonly (StoredItem | StoredDeltas)[]> {
  const file = await FileWindow.open(path)
  try {
    const reader = await FrameReader.open(file, limits, withRuns)
    for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) yield batch
  } finally {
    await file.close()
  }
}
