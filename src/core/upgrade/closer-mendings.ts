/**
 * Results that say a call was never started. Their id is made of the call and of their own seq: a release of format 2
 * wants it exactly so after its migration, and the migration to format 3 wants at least the form.
 */
import { ToFormat2 } from '../compatibility/migration/to-format-2.ts'
import { answeredCallId, messageOf, type SessionEvent, type SessionHeader } from '../event/session-event.ts'
import { interruptedResultId, isInterruptedResultId, isNotStarted } from '../event-types/closers.ts'
import { type JsonValue, objectIn } from '../json/json-value.ts'
import type { ReplayStep } from '../replay/reducer.ts'
import type { Changes } from './changes.ts'

export class CloserMendings {
  readonly #changes: Changes
  readonly #format: number
  /** Numbers the events as the migration to format 2 does. */
  readonly #second: ToFormat2

  constructor(changes: Changes, format: number, header: SessionHeader | undefined) {
    this.#changes = changes
    this.#format = format
    const log = {
      format,
      sessionId: '',
      hasParent: true,
      seedLength: header?.seedLength,
      isSeeded: undefined,
    }
    const ignore = (): void => {}
    const numbered = (stored: object): void => this.#numbered(stored as SessionEvent, this.#second.nextSeq)
    this.#second = new ToFormat2(log, ignore, { turn: undefined, step: undefined }, numbered, ignore)
  }

  on({ event, origin }: ReplayStep): void {
    const { type, seq, time, data, sourceEventSeqs, surfaceOp } = event
    if (this.#format >= 2) this.#numbered(event, seq)
    else if (type === 'assistant/chunk') {
      const { turn, step, chunk } = objectIn(data)
      this.#second.takeRun({ first: seq, count: 1, turn, step }, origin, objectIn(chunk).type === 'finish')
    } else {
      const op = surfaceOp as JsonValue | undefined
      const cited = sourceEventSeqs as readonly number[] | undefined
      const stored = { type, seq, time, data, surfaceOp: op, sourceEventSeqs: cited, ignorable: undefined }
      this.#second.take({ ...stored, origin })
    }
  }

  /** @param seq - of the event in format 2. */
  #numbered(event: SessionEvent, seq: number): void {
    if (event.type !== 'tool/result' || event.surfaceOp !== 'append' || !isNotStarted(event.data)) return
    const { id } = messageOf(event) ?? {}
    const callId = answeredCallId(event)
    const wanted = interruptedResultId(`${callId}`, seq)
    const fits = this.#format < 2 ? id === wanted : isInterruptedResultId(id, callId)
    if (!fits) this.#changes.change(event.seq, 'closer-ids', { at: ['data', 'message', 'id'], value: wanted })
  }
}
