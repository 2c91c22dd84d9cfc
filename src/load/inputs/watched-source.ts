/**
 * A source of records that says how far its reading has come. It speaks once a batch, of which a second of reading has
 * hundreds, and never about a record; whether anything is shown, and when, is decided by anyone who listens.
 */
import type { RecordSource, StoredDeltas, StoredItem } from '../../storage/record-source.ts'

/** Who wants to know how far reading has come. */
export interface ReadingProgress {
  /** The files of a run that reads several, in their order. */
  expect(paths: readonly string[]): void
  /** One of the expected files has its turn. */
  next(path: string): void
  /** One of them was read in another thread. */
  passed(path: string): void
  /** The file whose turn it is holds this many logs. */
  holds(logs: number): void
  /** A reading begins. One log may be read several times. */
  begin(reading: Reading): void
  /** The reading that began last has come this far, in its unit. */
  reach(done: number): void
}

export interface Reading {
  /** The log as it is shown to the user. */
  readonly name: string
  /** `attempts`: what is tried one after the other, in memory. */
  readonly unit: 'bytes' | 'rows' | 'attempts'
  /** How far there is to go; absent when only the end will tell. */
  readonly total?: number
}

export function watchedSource(
  source: RecordSource,
  reading: Reading,
  progress: ReadingProgress,
): RecordSource {
  const { itemsWithRuns } = source
  return {
    // Looking ahead reads once more what the reading from the start counts.
    items: (fromLine = 1) =>
      fromLine > 1 ? source.items(fromLine) : watched(source.items(), reading, progress),
    ...(itemsWithRuns !== undefined && { itemsWithRuns: () => watched(itemsWithRuns(), reading, progress) }),
  }
}

async function* watched<Item extends StoredItem | StoredDeltas>(
  batches: AsyncIterable<readonly Item[]>,
  reading: Reading,
  progress: ReadingProgress,
): AsyncIterable<readonly Item[]> {
  progress.begin(reading)
  let rows = 0
  for await (const batch of batches) {
    rows += batch.length
    progress.reach(reading.unit === 'rows' ? rows : placeOf(batch.at(-1)))
    yield batch
  }
}

function placeOf(item: StoredItem | StoredDeltas | undefined): number {
  if (item?.kind === 'deltas') return item.byteOffset
  return item?.origin.byteOffset ?? 0
}
