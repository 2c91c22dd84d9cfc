/** A compressed log as a source of records: frame by frame, front to back, opened for reading only. */
import type { ReadLimits, RecordSource, StoredItem } from '../record-source.ts'
import { FileWindow } from './file-window.ts'
import { FrameReader } from './frame-reader.ts'

/** Whoever comes back for a later line has seen the faults already, so those are given only from the start. */
export function zstdFile(path: string, limits: ReadLimits): RecordSource {
  return {
    async *items(fromLine = 1): AsyncIterable<readonly StoredItem[]> {
      const file = await FileWindow.open(path)
      try {
        const reader = await FrameReader.open(file, limits)
        for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) {
          const wanted =
            fromLine > 1 ? batch.filter((item) => item.kind === 'record' && item.line >= fromLine) : batch
          if (wanted.length > 0) yield wanted
        }
      } finally {
        await file.close()
      }
    },
  }
}
