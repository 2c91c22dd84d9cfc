/** A message id names one message. Appending it again usually means that history was written twice. */
import { messageOf } from '../event/session-event.ts'
import type { FindingSink } from '../findings/finding.ts'
import type { Reducer } from '../replay/reducer.ts'
import { isAppendSurfaceEvent } from '../surface/surface-predicates.ts'

export function messageIdChecks(report: FindingSink): Reducer<void> {
  const firstAt = new Map<string, number>()
  return {
    on({ event, origin }) {
      if (!isAppendSurfaceEvent(event)) return
      const id = messageOf(event)?.id
      if (typeof id !== 'string' || id === '') return
      const first = firstAt.get(id)
      if (first === undefined) firstAt.set(id, event.seq)
      else
        report({
          code: 'message/id-repeated',
          origin,
          seq: event.seq,
          args: { id, firstAt: first },
          related: [first],
        })
    },
    finish() {},
  }
}
