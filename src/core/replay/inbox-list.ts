/**
 * The inbox as its splices leave it: two lists of waiting messages (format.md §4.3). DSH replays them when a session is
 * resumed and refuses to go on at the first splice that does not fit, or at an id that waits already.
 */
import { blocksOf } from '../event/session-event.ts'
import type { Origin } from '../findings/origin.ts'
import { isCount, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'

/** A message in the inbox, and where it was put there. */
export interface WaitingMessage {
  readonly id: JsonValue
  readonly text: string
  readonly seq: number
  readonly origin: Origin
  readonly target: InboxTarget
}

interface RangeProblem {
  readonly kind: 'range'
  readonly length: number
  /** The part of the splice that fits; nothing where there is no list of that name. */
  readonly cut?: { readonly start: number; readonly removedCount: number }
}

export type SpliceProblem = RangeProblem | { readonly kind: 'repeated'; readonly id: JsonValue }

export interface SpliceOutcome {
  readonly problem?: SpliceProblem
  readonly removed: readonly WaitingMessage[]
}

export type InboxTarget = 'next-turn' | 'next-step'

/** Longer lists are only counted: no session has so many messages waiting. */
const LONGEST_KEPT = 1000
const LONGEST_TEXT = 80

export class InboxList {
  readonly #lists: Record<InboxTarget, WaitingMessage[]> = { 'next-turn': [], 'next-step': [] }
  readonly #lengths: Record<InboxTarget, number> = { 'next-turn': 0, 'next-step': 0 }
  readonly #ids = new Set<JsonValue>()

  /** The messages that wait, those of the next step first. */
  get waiting(): readonly WaitingMessage[] {
    return [...this.#lists['next-step'], ...this.#lists['next-turn']]
  }

  /** Applies the splice; one that reaches past the list is cut to what is there, as any splice would be. */
  apply(data: JsonObject, place: Pick<WaitingMessage, 'seq' | 'origin'>): SpliceOutcome {
    const { target, start: from, removedCount: count = 0, inserted } = data
    if (target !== 'next-turn' && target !== 'next-step') return { problem: range(0), removed: [] }
    const length = this.#lengths[target]
    const start = isCount(from) ? Math.min(from, length) : length
    const removedCount = isCount(count) ? Math.min(count, length - start) : 0
    const fits = start === from && removedCount === count && Array.isArray(inserted)
    const messages = Array.isArray(inserted)
      ? inserted.map((message) => waitingMessage(message, target, place))
      : []
    this.#lengths[target] = length - removedCount + messages.length
    const list = this.#lists[target]
    const removed = list.splice(start, removedCount, ...(start <= list.length ? messages : []))
    for (const { id } of [...removed, ...list.splice(LONGEST_KEPT)]) this.#ids.delete(id)
    const repeated = messages.find(({ id }) => !this.#enter(id))
    if (!fits) return { problem: { ...range(length), cut: { start, removedCount } }, removed }
    return repeated === undefined ? { removed } : { problem: { kind: 'repeated', id: repeated.id }, removed }
  }

  /** Whether the id did not wait already. Early builds wrote messages without ids. */
  #enter(id: JsonValue): boolean {
    if (id === null || this.#ids.size >= LONGEST_KEPT) return true
    const isNew = !this.#ids.has(id)
    this.#ids.add(id)
    return isNew
  }
}

function range(length: number): RangeProblem {
  return { kind: 'range', length }
}

function waitingMessage(
  message: JsonValue,
  target: InboxTarget,
  { seq, origin }: Pick<WaitingMessage, 'seq' | 'origin'>,
): WaitingMessage {
  const object = objectIn(message)
  const text = blocksOf(object).find((block) => typeof block.text === 'string')?.text
  return { id: object.id ?? null, text: String(text ?? '').slice(0, LONGEST_TEXT), seq, origin, target }
}
