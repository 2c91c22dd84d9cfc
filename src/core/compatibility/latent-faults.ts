/**
 * What is wrong with an event though the readers of its own format take it: members, message sources and content that
 * no migration knows. Such a log is healthy today, and the whole of it is refused by the next format.
 */
import type { SessionEvent } from '../event/session-event.ts'
import { eventRefusals } from './event-refusals.ts'

export type LatentFault =
  /** A member that the fixed list of what it stands in does not name. */
  | { readonly kind: 'member'; readonly of: string; readonly member: string }
  /** A message source that is not on the fixed list. */
  | { readonly kind: 'source'; readonly source: string }
  /** Form and members of a plugin source that do not go together. */
  | { readonly kind: 'form'; readonly problem: string }
  /** A content block that is not on the fixed list. */
  | { readonly kind: 'content'; readonly block: string }

/** @param version - format of the log; formats from 2 on allow more. */
export function latentFaults(
  event: SessionEvent,
  version: number,
  visit: (fault: LatentFault) => void,
): void {
  eventRefusals(event, version, ({ problem, of, what, needs }) => {
    if (problem === 'unexpected') visit({ kind: 'member', of, member: what })
    else if (problem === 'source') visit({ kind: 'source', source: what })
    else if (problem === 'form') visit({ kind: 'form', problem: `${what} that ${needs}` })
    else if (problem === 'content') visit({ kind: 'content', block: what })
  })
}
