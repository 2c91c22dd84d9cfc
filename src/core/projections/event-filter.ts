/** Which events of a log are wanted: the same filters wherever events are listed. */
import type { ClassifiedEvent, EventClass } from './classification.ts'

/** Which events are meant; all of it must be true of an event. */
export interface EventFilter {
  readonly class?: EventClass | undefined
  readonly type?: readonly string[] | undefined
  /** Both ends belong to it. */
  readonly seq?: { readonly from: number; readonly to: number } | undefined
  readonly turn?: number | undefined
}

export function isChosen(event: ClassifiedEvent, { class: wanted, type, seq, turn }: EventFilter): boolean {
  if (wanted !== undefined && event.class !== wanted) return false
  if (type !== undefined && !type.includes(event.type)) return false
  if (seq !== undefined && (event.seq < seq.from || event.seq > seq.to)) return false
  return turn === undefined || event.turn === turn
}

export function isFiltered({ class: wanted, type, seq, turn }: EventFilter): boolean {
  return [wanted, type, seq, turn].some((filter) => filter !== undefined)
}
