/** Inbox splices that reach past the list they change: they are cut to what is there, as any splice would be. */
import { isCount, isJsonObject, type JsonValue } from '../event/json-value.ts'
import type { Reducer } from '../replay/reducer.ts'
import type { PatchSink } from './identity-patches.ts'

export function inboxPatches(patch: PatchSink): Reducer<void> {
  const lengths = new Map<JsonValue | undefined, number>()
  return {
    on({ event }) {
      if (event.type !== 'agent/inbox/spliced' || !isJsonObject(event.data)) return
      const { target, start, removedCount = 0, inserted } = event.data
      if (!isCount(start) || !isCount(removedCount)) return
      const length = lengths.get(target) ?? 0
      const from = Math.min(start, length)
      const removed = Math.min(removedCount, length - from)
      const added = Array.isArray(inserted) ? inserted.length : 0
      lengths.set(target, length - removed + added)
      if (from !== start || removed !== removedCount) {
        patch(event.seq, { kind: 'inbox', start: from, removedCount: removed })
      }
    },
    finish() {},
  }
}
