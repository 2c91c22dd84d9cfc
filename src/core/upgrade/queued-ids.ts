/** Ids of queued messages that have none: that of the message when it was sent, else one made of session and seq. */
import { messageOf, type SessionEvent } from '../event/session-event.ts'
import { isName, type JsonObject, type JsonValue, sameJson } from '../json/json-value.ts'
import { repairedMessageId } from '../repair/identity-patches.ts'
import type { Changes } from './changes.ts'

interface Queued {
  readonly seq: number
  readonly position: number
  readonly content: JsonValue | undefined
  id: string | undefined
}

export class QueuedIds {
  readonly #waiting: Queued[] = []

  queue(seq: number, position: number, message: JsonObject): void {
    this.#waiting.push({ seq, position, content: message.content, id: undefined })
  }

  on(event: SessionEvent): void {
    if (event.type !== 'user/message' || this.#waiting.length === 0) return
    const { id, content } = messageOf(event) ?? {}
    const sent = this.#waiting.find((queued) => queued.id === undefined && sameJson(queued.content, content))
    if (sent !== undefined && isName(id)) sent.id = id
  }

  finish(sessionId: string, changes: Changes): void {
    for (const { seq, position, id } of this.#waiting) {
      const value = id ?? `${repairedMessageId(sessionId, seq)}:${position}`
      changes.change(seq, 'queued-messages', { at: ['data', 'inserted', position, 'id'], value })
    }
  }
}
