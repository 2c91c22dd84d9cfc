/** The inbox is a list per target, changed by splices (format.md §4.3); a splice must fit the list as it stands. */
import { isCount, isJsonObject, type JsonValue } from '../event/json-value.ts'
import type { FindingSink } from '../findings/finding.ts'
import type { Reducer } from '../replay/reducer.ts'

export function inboxChecks(report: FindingSink): Reducer<void> {
  const lengths = new Map<JsonValue | undefined, number>()
  return {
    on({ event, origin }) {
      if (event.type !== 'agent/inbox/spliced' || !isJsonObject(event.data)) return
      const { target, start, removedCount = 0, inserted } = event.data
      const length = lengths.get(target) ?? 0
      const added = Array.isArray(inserted) ? inserted.length : 0
      if (!isCount(start) || !isCount(removedCount) || start + removedCount > length) {
        const args = { target: target ?? null, start: start ?? null, removedCount, length }
        report({ code: 'inbox/out-of-range', origin, seq: event.seq, args })
        lengths.set(target, length + added)
      } else lengths.set(target, length - removedCount + added)
    },
    finish() {},
  }
}
