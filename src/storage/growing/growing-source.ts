/** A source of records whose log still grows: its batches come when there is more, and end when no more will come. */
import type { RecordSource, StoredDeltas, StoredItem } from '../record-source.ts'

export interface GrowingSource extends RecordSource {
  /** Whether a reading from the start has come to the end of what was stored, and waited for more. */
  readonly hasCaughtUp: () => boolean
}

/**
 * The source of a text log. Who comes back for a later line has seen the faults already, so those are given only from
 * the start.
 *
 * @param batches - all items, with streamed deltas as runs where `withRuns`; tells `waits` before every wait for more.
 * @param stored - the items that are stored now.
 */
export function growingText(
  batches: (withRuns: boolean, waits: () => void) => AsyncIterable<readonly (StoredItem | StoredDeltas)[]>,
  stored: () => AsyncIterable<readonly StoredItem[]>,
): GrowingSource {
  let hasCaughtUp = false
  const caughtUp = (): void => {
    hasCaughtUp = true
  }
  return {
    async *items(fromLine = 1) {
      const isReturn = fromLine > 1
      for await (const batch of batches(false, isReturn ? () => {} : caughtUp)) {
        const items = batch as readonly StoredItem[]
        const wanted = isReturn
          ? items.filter((item) => item.kind === 'record' && item.line >= fromLine)
          : items
        if (wanted.length > 0) yield wanted
      }
    },
    itemsWithRuns: () => batches(true, caughtUp),
    stored,
    hasCaughtUp: () => hasCaughtUp,
  }
}
