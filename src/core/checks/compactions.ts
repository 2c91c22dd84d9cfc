/**
 * Compactions of formats 0 to 3 beyond their bracket (format.md §7.2): the summary stands right before the checkpoint
 * that it is for, its count is a count, and a prune is followed by the rewrite it announces.
 */
import { isCount, isJsonObject } from '../event/json-value.ts'
import type { Origin } from '../event/origin.ts'
import type { SessionEvent } from '../event/session-event.ts'
import type { FindingSink } from '../findings/finding.ts'
import type { Reducer } from '../replay/reducer.ts'
import { isCompactCheckpoint } from '../surface/surface-predicates.ts'

export function compactionChecks(report: FindingSink): Reducer<void> {
  let summary: SessionEvent | undefined
  let prune: { readonly event: SessionEvent; readonly origin: Origin } | undefined

  function onPayload(event: SessionEvent, origin: Origin): void {
    const count = isJsonObject(event.data) ? event.data.shadowedTokenCount : undefined
    if (isCount(count)) return
    report({ code: 'compaction/count-invalid', origin, seq: event.seq, args: { count: count ?? null } })
  }

  return {
    on({ event, origin, effect }) {
      const { type, seq } = event
      if (prune !== undefined) {
        if (type !== 'tool/result' || effect.kind !== 'replace') {
          report({ code: 'compaction/prune-alone', origin: prune.origin, seq: prune.event.seq, args: {} })
        }
        prune = undefined
      }
      if (type === 'compaction/prune') {
        onPayload(event, origin)
        prune = { event, origin }
      } else if (type === 'compaction/summary') {
        onPayload(event, origin)
        summary = event
      } else if (isCompactCheckpoint(event)) {
        if (summary !== undefined && seq !== summary.seq + 1) {
          const args = { summaryAt: summary.seq }
          report({ code: 'compaction/summary-apart', origin, seq, args, related: [summary.seq] })
        }
        summary = undefined
      }
    },
    finish() {},
  }
}
