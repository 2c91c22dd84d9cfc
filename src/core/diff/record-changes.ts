/** Which records only one of two files holds, in the order of the files. */
import { alignSequences, type CommonRun } from './align-sequences.ts'
import type { Change, ChangePlace } from './change.ts'

/** The records of a file, in order; the header is the first. */
export interface RecordList {
  /** The same number in two lists means the same bytes. */
  readonly ids: Int32Array
  readonly byteOffsets: Float64Array
  readonly byteLengths: Float64Array
  readonly frames: Int32Array
  readonly rows: Float64Array
}

/** For a place that a record does not have. */
export const NOWHERE = -1

/** The changes are made while they are read: a file may have a million lines. */
export function recordChanges(a: RecordList, b: RecordList) {
  const runs = alignSequences(a.ids, b.ids)
  const same = runs.reduce((sum, { length }) => sum + length, 0)
  return {
    counts: { same, removed: a.ids.length - same, added: b.ids.length - same },
    changes: { [Symbol.iterator]: (): Iterator<Change> => between(a, b, runs)[Symbol.iterator]() },
  }
}

function* between(a: RecordList, b: RecordList, runs: readonly CommonRun[]): Iterable<Change> {
  let [fromA, fromB] = [0, 0]
  for (const run of [...runs, { a: a.ids.length, b: b.ids.length, length: 0 }]) {
    if (run.a > fromA)
      yield { level: 'bytes', change: 'removed', count: run.a - fromA, a: placeOf(a, fromA, run.a) }
    if (run.b > fromB)
      yield { level: 'bytes', change: 'added', count: run.b - fromB, b: placeOf(b, fromB, run.b) }
    fromA = run.a + run.length
    fromB = run.b + run.length
  }
}

function placeOf(list: RecordList, from: number, end: number): ChangePlace {
  const byteOffset = list.byteOffsets[from] as number
  const frame = list.frames[from] as number
  const row = list.rows[from] as number
  const lastEnd = (list.byteOffsets[end - 1] as number) + (list.byteLengths[end - 1] as number)
  return {
    line: from + 1,
    ...(end > from + 1 && { lastLine: end }),
    ...(byteOffset !== NOWHERE && { byteOffset }),
    ...(byteOffset !== NOWHERE && frame === NOWHERE && { byteLength: lastEnd - byteOffset }),
    ...(frame !== NOWHERE && { frame }),
    ...(row !== NOWHERE && { row }),
  }
}
