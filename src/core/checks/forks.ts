/** Forks: what the header says about the inherited part, against the log (format.md §5.7). */
import { inheritedBefore, isInheritedMarker } from '../event/inherited-part.ts'
import type { Finding, FindingSink } from '../findings/finding.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'

export function forkChecks(report: FindingSink): Reducer<void> {
  let descriptor: Pick<Finding, 'origin' | 'seq'> | undefined
  /** Cut of formats 2 and later: the last inherited marker. */
  let cut = 0
  return {
    types: new Set(['subagent/descriptor', 'session/end-seed']),
    onDeltas: ignoreDeltas,
    on({ event, origin, header }) {
      if (event.type === 'subagent/descriptor') descriptor = { origin, seq: event.seq }
      cut = inheritedBefore(event, header, cut)
    },
    finish({ header, eventCount, last }) {
      if (header === undefined) return
      const { seedLength } = header
      if (seedLength !== undefined && seedLength > (last?.event.seq ?? -1) + 1) {
        const origin = { line: 1, byteOffset: 0 }
        report({ code: 'fork/seed-too-long', origin, args: { seedLength, events: eventCount } })
      }
      const at = descriptor?.seq ?? cut
      // A fork of a subagent inherits one as a matter of course. One right before the cut was meant for the child.
      const isOwn = header.origin === 'subagent' || at === cut - 1
      if (descriptor !== undefined && isOwn && at < cut)
        report({ code: 'fork/descriptor-inherited', args: { cut }, ...descriptor })
    },
  }
}

/** Formats 2 to 4: the header says whether the log inherits events, and a marker in the log says up to where (§5.7). */
export function seedChecks(report: FindingSink): Reducer<void> {
  let marker: Pick<Finding, 'origin' | 'seq'> | undefined
  return {
    types: new Set(['session/end-seed']),
    onDeltas: ignoreDeltas,
    on({ event, origin }) {
      if (isInheritedMarker(event)) marker = { origin, seq: event.seq }
    },
    finish({ header, dialect }) {
      if (header === undefined || dialect.version < 2) return
      if (header.isSeeded === true && marker === undefined) {
        report({ code: 'seed/marker-missing', origin: { line: 1, byteOffset: 0 }, args: {} })
      } else if (header.isSeeded === false && marker !== undefined) {
        report({ code: 'seed/marker-unexpected', args: {}, ...marker })
      }
    },
  }
}
