/**
 * Surface events without a marker, as the earliest builds wrote them: of a log without any marker they are read as
 * appended. Whether it is such a log is looked up once, in the rest of the log.
 */
import type { SessionEvent } from '../../core/event/session-event.ts'
import { isOfSurface, lacksMarker, markedAsAppend } from '../../core/surface/unmarked-log.ts'
import type { RecordSource, StoredRecord } from '../../storage/record-source.ts'
import type { ItemQueue } from './item-queue.ts'
import { hasMarkedEvent } from './look-ahead.ts'

export class UnmarkedEvents {
  #log: 'unknown' | 'marked' | 'unmarked' = 'unknown'
  /** The types that the format of the log puts on the surface. */
  types: ReadonlySet<string> | undefined
  readonly #source: RecordSource
  readonly #queue: ItemQueue

  constructor(source: RecordSource, queue: ItemQueue) {
    this.#source = source
    this.#queue = queue
  }

  /** The event as it is to be read; a promise of it where the rest of the log has to be asked. */
  read(event: SessionEvent, record: StoredRecord): SessionEvent | Promise<SessionEvent> {
    if (this.#log === 'marked') return event
    if (!lacksMarker(event, this.types)) {
      if (event.surfaceOp !== undefined && isOfSurface(event, this.types)) this.#log = 'marked'
      return event
    }
    return this.#log === 'unmarked' ? markedAsAppend(event, this.types) : this.#ask(event, record)
  }

  async #ask(event: SessionEvent, { line, origin }: StoredRecord): Promise<SessionEvent> {
    this.#log = (await hasMarkedEvent(this.#source, line, this.types)) ? 'marked' : 'unmarked'
    if (this.#log === 'marked') return event
    this.#queue.report('surface/unmarked-log', origin, {}, { seq: event.seq })
    return markedAsAppend(event, this.types)
  }
}
