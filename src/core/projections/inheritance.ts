/** What a session has from another one: the head of its log, when it is a fork (format.md §5.7). */
import { inheritedBefore } from '../event/inherited-part.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'

export interface Inheritance {
  /** The first seq of its own: all before it were inherited. */
  readonly before: number
  /** Id of the session that they come from, when the header names it. */
  readonly from?: string
}

/** `undefined` for a log that inherited nothing. */
export function inheritance(): Reducer<Inheritance | undefined> {
  let before = 0
  return {
    onDeltas: ignoreDeltas,
    on({ event, header }) {
      before = inheritedBefore(event, header, before)
    },
    finish({ header }) {
      if (before === 0) return undefined
      const from = header?.parentSession
      return { before, ...(from !== undefined && { from }) }
    },
  }
}
