/** Runs of streamed deltas as the replay knows them, and the single events that they stand for. */
import type { JsonObject, JsonValue } from '../core/event/json-value.ts'
import type { QuietRun } from '../core/replay/quiet-run.ts'
import type { StoredDeltas, StoredRecord } from '../storage/record-source.ts'
import { expandRow, packedSpan } from '../storage/versions/packed-rows.ts'

const LF = 10

/** The run of lines that were recognised by their bytes. */
export function runOfLines(stored: StoredDeltas): QuietRun {
  const { first, count, turn, step, firstTime, lastTime, bytes } = stored
  return {
    first,
    count,
    turn,
    step,
    firstTime,
    lastTime,
    *deltas() {
      for (const { content } of recordsIn(stored)) {
        const { bytes: line } = content as { bytes: Buffer }
        const event = JSON.parse(line.toString('utf8')) as { data: { chunk: JsonObject } }
        yield event.data.chunk
      }
    },
    keep: () => runOfLines({ ...stored, bytes: Buffer.from(bytes) }),
  }
}

/** The lines of a run as the records that they are. */
export function* recordsIn(stored: StoredDeltas): Iterable<StoredRecord> {
  const { bytes, byteOffset, frame } = stored
  let line = stored.line
  let start = 0
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
    const place = frame === undefined ? { byteOffset: byteOffset + start } : { byteOffset, frame }
    const origin = { line, ...place, byteLength: end - start }
    const content = { kind: 'bytes' as const, bytes: bytes.subarray(start, end) }
    yield { kind: 'record', line, origin, content, ended: true }
    line++
    start = end + 1
  }
}

/** The run of a packed row; absent when the value is none, or when its times go back. */
export function runOfPackedRow(value: JsonValue): QuietRun | undefined {
  const span = packedSpan(value)
  if (span === undefined) return undefined
  const run: QuietRun = {
    ...span,
    *deltas() {
      const expanded = expandRow(value)
      const rows = expanded.kind === 'row' ? expanded.rows : []
      for (const row of rows) yield (row as { readonly data: { readonly chunk: JsonObject } }).data.chunk
    },
    keep: () => run,
  }
  return run
}
