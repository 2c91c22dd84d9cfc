/**
 * The first records of a log as a log of its own: what a reader would have found there had the writer stopped then. What
 * is wrong with the container between two records belongs to the one before.
 */
import type { RecordSource, StoredDeltas, StoredItem } from '../../storage/record-source.ts'
import { recordsIn } from '../reading/delta-run.ts'

/** @param length - records, the header among them. */
export function prefixSource(source: RecordSource, length: number): RecordSource {
  const itemsWithRuns = source.itemsWithRuns?.bind(source)
  return {
    items: (fromLine) => upTo(source.items(fromLine), length) as AsyncIterable<readonly StoredItem[]>,
    ...(itemsWithRuns !== undefined && { itemsWithRuns: () => upTo(itemsWithRuns(), length) }),
  }
}

type Item = StoredItem | StoredDeltas

async function* upTo(
  batches: AsyncIterable<readonly Item[]>,
  length: number,
): AsyncIterable<readonly Item[]> {
  for await (const batch of batches) {
    const end = batch.findIndex((item) => lastLineOf(item) > length)
    if (end === -1) {
      yield batch
      continue
    }
    const parted = batch[end] as Item
    const begun = parted.kind === 'deltas' ? [...recordsIn(parted)].filter(({ line }) => line <= length) : []
    yield [...batch.slice(0, end), ...begun]
    return
  }
}

/** A fault has none of its own, and goes where the items around it go. */
function lastLineOf(item: Item): number {
  if (item.kind === 'fault') return 0
  return item.kind === 'deltas' ? item.line + item.lines - 1 : item.line
}

/** How many records a log has. */
export async function recordsOf(source: RecordSource): Promise<number> {
  let last = 0
  for await (const batch of source.itemsWithRuns?.() ?? source.items()) {
    for (const item of batch) last = Math.max(last, lastLineOf(item))
  }
  return last
}
