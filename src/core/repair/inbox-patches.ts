/** Inbox splices that reach past the list they change: they are cut to what is there, as any splice would be. */
import { isCount, isJsonObject, type JsonValue } from '../event/json-value.ts'
import type { Reducer } from '../replay/reducer.ts'
import type { PatchSink } from './identity-patches.ts'

export function inboxPatches(patch: PatchSink): Reducer<void> {
  const lengths = new Map<JsonValue | undefined, number>()
  return {
    on({ event, header, dialect }) {
      if (event.type !== 'agent/inbox/spliced' || !isJsonObject(event.data)) return
      // Up to format 1 a fork begins with an empty inbox.
      if (dialect.version < 2 && event.seq < (header?.seedLength ?? 0)) return
      const { target, removedCount: stored = 0, inserted } = event.data
      const start = isCount(event.data.start) ? event.data.start : Number.POSITIVE_INFINITY
      const removedCount = isCount(stored) ? stored : 0
      const length = lengths.get(target) ?? 0
      const from = Math.min(start, length)
      const removed = Math.min(removedCount, length - from)
      const added = Array.isArray(inserted) ? inserted.length : 0
      lengths.set(target, length - removed + added)
      if (from !== start || removed !== stored || !Array.isArray(inserted)) {
        patch(event.seq, { kind: 'inbox', start: from, removedCount: removed })
      }
    },
    finish() {},
  }
}
