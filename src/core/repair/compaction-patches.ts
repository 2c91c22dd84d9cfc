/** A compaction that lost its summary did not succeed for readers of format 4: its end says so (format.md §7.3). */
import { isJsonObject } from '../json/json-value.ts'
import type { Reducer } from '../replay/reducer.ts'
import type { PatchSink } from './identity-patches.ts'

export function compactionPatches(patch: PatchSink): Reducer<void> {
  let hasSummary = false
  return {
    on({ event }) {
      const { type, data, seq } = event
      if (type === 'compaction/start') hasSummary = false
      else if (type === 'compaction/summary') hasSummary = true
      else if (type === 'compaction/end' && isJsonObject(data) && data.error === undefined && !hasSummary)
        patch(seq, { kind: 'compaction-error' })
    },
    finish() {},
  }
}
