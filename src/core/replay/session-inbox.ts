/**
 * The inbox of the session that a log is of. Up to format 1 a fork starts with an empty one; later it inherits what
 * waited in its parent, and builds in between did either (format.md §4.3).
 */
import { isInheritedMarker } from '../event/inherited-part.ts'
import { isJsonObject } from '../json/json-value.ts'
import { InboxList, type SpliceOutcome, type WaitingMessage } from './inbox-list.ts'
import type { ReplayStep } from './reducer.ts'

export class SessionInbox {
  #whole = new InboxList()
  /** The inbox as it is when the fork began with an empty one, as long as that may be. */
  #own: InboxList | undefined

  get waiting(): readonly WaitingMessage[] {
    return this.#whole.waiting
  }

  /** @returns what came of the splice, if the event is one of this session. */
  take({ event, origin, header, dialect }: ReplayStep): SpliceOutcome | undefined {
    if (isInheritedMarker(event)) this.#own = new InboxList()
    const { type, data, seq } = event
    if (type !== 'agent/inbox/spliced' || !isJsonObject(data)) return undefined
    if (dialect.version < 2 && seq < (header?.seedLength ?? 0)) return undefined
    const outcome = this.#whole.apply(data, { seq, origin })
    const own = this.#own?.apply(data, { seq, origin })
    if (own === undefined) return outcome
    if (outcome.problem === undefined) {
      if (own.problem !== undefined) this.#own = undefined
      return outcome
    }
    if (own.problem !== undefined || this.#own === undefined) return outcome
    this.#whole = this.#own
    this.#own = undefined
    return own
  }
}
