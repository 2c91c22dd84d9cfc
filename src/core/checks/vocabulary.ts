/** Event types against the vocabulary of the shipped readers (format.md §4.3). An unknown type is a finding at
 * each of its events; one that only older builds do not know is mentioned once. */
import { isInheritedMarker } from '../event/inherited-part.ts'
import { eventType } from '../event-types/vocabulary.ts'
import type { FindingSink } from '../findings/finding.ts'
import { eachEvent, type Reducer } from '../replay/reducer.ts'

export function vocabularyChecks(report: FindingSink): Reducer<void> {
  const newer = new Set<string>()
  /** Types with nothing to be said of them. */
  const ordinary = new Set<string>()
  let markerSeen = false
  return eachEvent(({ event, origin, dialect, header }) => {
    const { type, seq } = event
    markerSeen ||= isInheritedMarker(event)
    if (ordinary.has(type)) return
    const known = eventType(type)
    if (!dialect.knows(type)) {
      const code = event.ignorable === true ? 'vocabulary/unknown-ignorable' : 'vocabulary/unknown-type'
      // After the first marker of a later format, another one may follow.
      const isInherited = header?.isSeeded === true ? !markerSeen : seq < (header?.seedLength ?? 0)
      report({ code, origin, seq, args: { type, ...(isInherited && { inherited: true }) } })
    } else if (known?.since !== undefined && !newer.has(type)) {
      newer.add(type)
      report({ code: 'vocabulary/newer-type', origin, seq, args: { type, since: known.since } })
    } else if (known !== undefined) ordinary.add(type)
  })
}
