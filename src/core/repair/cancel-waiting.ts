/** Splices that take the waiting messages out of the inbox, as DSH writes one for a message that is canceled (format.md §4.3). */
import type { SessionEvent } from '../event/session-event.ts'
import type { InboxTarget, WaitingMessage } from '../replay/inbox-list.ts'

/** @param last - the event that they come after. */
export function cancelingSplices(
  waiting: readonly WaitingMessage[],
  last: Pick<SessionEvent, 'seq' | 'time'>,
): readonly SessionEvent[] {
  const counts = new Map<InboxTarget, number>()
  for (const { target } of waiting) counts.set(target, (counts.get(target) ?? 0) + 1)
  return [...counts].map(([target, removedCount], index) => ({
    type: 'agent/inbox/spliced',
    seq: last.seq + 1 + index,
    time: last.time,
    data: { target, start: 0, removedCount, inserted: [], outcome: 'canceled' },
  }))
}
