/**
 * What readers of format 4 want of a compaction and the log tells: the turn that it is in, and that it did not succeed
 * when it has lost its summary (format.md §7.3).
 */
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import type { Reducer } from '../replay/reducer.ts'
import type { PatchSink } from './identity-patches.ts'

export function compactionPatches(patch: PatchSink): Reducer<void> {
  let hasSummary = false
  let turn: JsonValue = null
  return {
    on({ event, before }) {
      const { type, data, seq } = event
      if (!isJsonObject(data)) return
      if (type === 'compaction/summary') hasSummary = true
      if (type !== 'compaction/start' && type !== 'compaction/end') return
      if (type === 'compaction/start') {
        hasSummary = false
        turn = before.openTurn ?? null
      } else if (data.error === undefined && !hasSummary) patch(seq, { kind: 'compaction-error' })
      if ((data.turn ?? null) !== turn) patch(seq, { kind: 'compaction-turn', turn })
    },
    finish() {},
  }
}
