/**
 * One page of history (format.md §8.5): a contiguous range of raw events that ends before a seq. Only append-origin
 * user and assistant messages count towards its size, and a message is never cut from the events it was built from.
 * A page may hold a checkpoint whose replaced range lies outside it; pages are for reading, never for folding.
 */
import { citedSeqs, type SessionEvent } from '../event/session-event.ts'
import type { Reducer } from '../replay/reducer.ts'
import { isAppendSurfaceEvent } from '../surface/surface-predicates.ts'

export interface PageBounds {
  /** First seq of the page. */
  readonly from: number
  /** The page ends before this seq. */
  readonly before: number
  readonly hasMore: boolean
}

/** Finds where the page that ends before `beforeSeq` and holds `maxMessages` messages begins. */
export function pageBounds(maxMessages: number, beforeSeq?: number): Reducer<PageBounds> {
  const before = beforeSeq ?? Number.POSITIVE_INFINITY
  /** Starts of the newest counted messages, oldest first; never more than a page of them. */
  let starts: number[] = []
  let firstSeq: number | undefined
  return {
    on({ event }) {
      if (event.seq >= before) return
      firstSeq ??= event.seq
      if (!countsAsMessage(event)) return
      starts.push(groupStart(event))
      if (starts.length > 2 * maxMessages) starts = starts.slice(-maxMessages)
    },
    finish({ last }) {
      const cut = starts.length < maxMessages ? undefined : starts.at(-maxMessages)
      const from = cut ?? firstSeq ?? 0
      const end = Math.min(before, (last?.event.seq ?? -1) + 1)
      return { from, before: end, hasMore: cut !== undefined && firstSeq !== undefined && cut > firstSeq }
    },
  }
}

/** Gives `emit` the events of a page. @param isChosen - asked about every event of the log, in its order. */
export function eventsBetween(
  from: number,
  before: number,
  emit: (event: SessionEvent) => void,
  isChosen: (event: SessionEvent) => boolean = () => true,
): Reducer<void> {
  return {
    on({ event }) {
      const isWanted = isChosen(event)
      if (isWanted && event.seq >= from && event.seq < before) emit(event)
    },
    finish: () => {},
  }
}

function countsAsMessage(event: SessionEvent): boolean {
  return (event.type === 'user/message' || event.type === 'assistant/message') && isAppendSurfaceEvent(event)
}

function groupStart(event: SessionEvent): number {
  let start = event.seq
  for (const source of citedSeqs(event)) if (source < start) start = source
  return start
}
