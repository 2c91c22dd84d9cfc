/** Formats 2 to 4: the header says whether the log inherits events, and a marker in the log says up to where (§5.7). */
import { isInheritedMarker } from '../event/inherited-part.ts'
import type { Finding, FindingSink } from '../findings/finding.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'

export function seedChecks(report: FindingSink): Reducer<void> {
  let marker: Pick<Finding, 'origin' | 'seq'> | undefined
  return {
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
