/**
 * Messages whose id was used before, gathered while they come back one after the other and in their old order: a part
 * of the history that was appended again is one repetition, and so is a message that has the id of another one.
 */

import { blocksOf, messageOf, type SessionEvent } from '../event/session-event.ts'
import type { Origin } from '../findings/origin.ts'
import type { JsonObject } from '../json/json-value.ts'
import { isAppendSurfaceEvent } from '../surface/surface-predicates.ts'

export interface RepeatedMessages {
  /** Of the first of them. */
  readonly id: string
  readonly origin: Origin
  /** First and last of them. */
  readonly seq: number
  readonly last: number
  /** The messages that they repeat. */
  readonly firstAt: number
  readonly lastAt: number
  /** More than one is a part of the history. */
  readonly messages: number
}

interface Running {
  readonly id: string
  readonly origin: Origin
  readonly seq: number
  last: number
  /** Number of the first message that is repeated, and of the one that would continue the repetition. */
  readonly first: number
  next: number
}

export class MessageRepetitions {
  /** The messages in order of their first appearance: number of an id, and seq and size of a number. */
  readonly #numbers = new Map<string, number>()
  readonly #seqs: number[] = []
  readonly #sizes: number[] = []
  #running: Running | undefined

  /** @returns the repetition that this event ends. */
  take(event: SessionEvent, origin: Origin): RepeatedMessages | undefined {
    if (!isAppendSurfaceEvent(event)) return undefined
    const message = messageOf(event)
    const id = message?.id
    if (typeof id !== 'string' || id === '') return undefined
    const number = this.#numbers.get(id)
    const running = this.#running
    if (number !== undefined && running?.next === number && this.#sizes[number] === sizeOf(message)) {
      running.next++
      running.last = event.seq
      return undefined
    }
    const ended = this.end()
    const { seq } = event
    if (number === undefined) {
      this.#numbers.set(id, this.#seqs.length)
      this.#seqs.push(seq)
      this.#sizes.push(sizeOf(message))
    } else this.#running = { id, origin, seq, last: seq, first: number, next: number + 1 }
    return ended
  }

  /** @returns the repetition that the log ends with. */
  end(): RepeatedMessages | undefined {
    const running = this.#running
    if (running === undefined) return undefined
    this.#running = undefined
    const { id, origin, seq, last, first, next } = running
    const [firstAt, lastAt] = [this.#seqs[first] as number, this.#seqs[next - 1] as number]
    return { id, origin, seq, last, firstAt, lastAt, messages: next - first }
  }
}

/** Enough to tell the same message from another one that was given its id. */
function sizeOf(message: JsonObject | undefined): number {
  let size = 0
  for (const block of blocksOf(message)) {
    size += 1
    for (const part of [block.text, block.arguments]) if (typeof part === 'string') size += part.length
    if (Array.isArray(block.content)) size += sizeOf(block)
  }
  return size
}
