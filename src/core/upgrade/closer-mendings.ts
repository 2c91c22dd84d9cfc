/**
 * Results that say a call was never started. Their id is made of the call and of their own seq: a release of format 2
 * wants it exactly so after its migration, and the migration to format 3 wants at least the form.
 */
import { answeredCallId, messageOf, type SessionEvent, type SessionHeader } from '../event/session-event.ts'
import { interruptedResultId, isInterruptedResultId, isNotStarted } from '../event-types/closers.ts'
import { Format2Seqs } from './format-2-seqs.ts'
import type { UpgradeSink } from './upgrade-sink.ts'

export class CloserMendings {
  readonly #sink: UpgradeSink
  readonly #format: number
  readonly #seqs: Format2Seqs

  constructor(sink: UpgradeSink, format: number, header: SessionHeader | undefined) {
    this.#sink = sink
    this.#format = format
    this.#seqs = new Format2Seqs(header, (event, seq) => this.#numbered(event, seq))
  }

  on(event: SessionEvent): void {
    if (this.#format < 2) this.#seqs.on(event)
    else this.#numbered(event, event.seq)
  }

  finish(): void {
    this.#seqs.finish()
  }

  /** @param seq - of the event in format 2. */
  #numbered(event: SessionEvent, seq: number): void {
    if (event.type !== 'tool/result' || event.surfaceOp !== 'append' || !isNotStarted(event.data)) return
    const { id } = messageOf(event) ?? {}
    const callId = answeredCallId(event)
    const wanted = interruptedResultId(`${callId}`, seq)
    const fits = this.#format < 2 ? id === wanted : isInterruptedResultId(id, callId)
    if (!fits) this.#sink.change(event.seq, 'closer-ids', { at: ['data', 'message', 'id'], value: wanted })
  }
}
