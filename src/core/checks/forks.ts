/** Forks: what the header says about the inherited part, against the log (format.md §5.7). */

import { inheritedBefore } from '../event/inherited-part.ts'
import type { Finding, FindingSink } from '../findings/finding.ts'
import type { Reducer } from '../replay/reducer.ts'

export function forkChecks(report: FindingSink): Reducer<void> {
  const descriptors: Pick<Finding, 'origin' | 'seq'>[] = []
  /** Cut of formats 2 and later: the last inherited marker. */
  let cut = 0
  return {
    on({ event, origin, header }) {
      if (event.type === 'subagent/descriptor') descriptors.push({ origin, seq: event.seq })
      cut = inheritedBefore(event, header, cut)
    },
    finish({ header, eventCount, last }) {
      if (header === undefined) return
      const { seedLength } = header
      if (seedLength !== undefined && seedLength > (last?.event.seq ?? -1) + 1) {
        const origin = { line: 1, byteOffset: 0 }
        report({ code: 'fork/seed-too-long', origin, args: { seedLength, events: eventCount } })
      }
      const inherited = descriptors.at(-1)
      if (header.origin === 'subagent' && inherited !== undefined && (inherited.seq ?? 0) < cut) {
        report({ code: 'fork/descriptor-inherited', args: { cut }, ...inherited })
      }
    },
  }
}
