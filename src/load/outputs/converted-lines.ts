/** The lines of a log as `convert` writes them: those that are stored, or every event anew, with its deltas packed or not. */
import type { SessionEvent } from '../../core/event/session-event.ts'
import { withoutMark } from '../../storage/jsonl/text-form.ts'
import { packRows } from '../../storage/packed-rows/pack-rows.ts'
import { jsonLine, type ReadLimits, type RecordSource } from '../../storage/record-source.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { storedLog } from '../reading/stored-events.ts'
import { storedLines } from '../reading/stored-lines.ts'

export const ROWS = ['as-is', 'packed', 'unpacked'] as const
export type Rows = (typeof ROWS)[number]

export async function* convertedLines(
  source: RecordSource,
  rows: Rows,
  limits: ReadLimits,
): AsyncIterable<Buffer> {
  if (rows === 'as-is') {
    yield* linesAsTheyAre(source)
    return
  }
  const log = await storedLog(source, limits)
  if (log === undefined) throw new ToolError('input', 'the log has no header')
  yield jsonLine(log.header)
  yield* rows === 'packed' ? packedLines(log.events) : eventLines(log.events)
}

/** Every record as it is; a byte order mark before the first is no part of it. */
async function* linesAsTheyAre(source: RecordSource): AsyncIterable<Buffer> {
  for await (const { line, bytes } of storedLines(source)) {
    if (bytes === undefined)
      throw new ToolError('refused', `record ${line} cannot be read, so it cannot be carried over`)
    yield line === 1 ? withoutMark(bytes) : bytes
  }
}

async function* eventLines(events: AsyncIterable<SessionEvent>): AsyncIterable<Buffer> {
  for await (const event of events) yield jsonLine(event)
}

const PACKED_AT_ONCE = 4096

async function* packedLines(events: AsyncIterable<SessionEvent>): AsyncIterable<Buffer> {
  let held: SessionEvent[] = []
  function* flush(): Iterable<Buffer> {
    for (const row of packRows(held)) yield jsonLine(row)
    held = []
  }
  for await (const event of events) {
    // A run ends with any other event, so packing in between loses nothing.
    if (event.type !== 'assistant/chunk' && held.length >= PACKED_AT_ONCE) yield* flush()
    held.push(event)
  }
  yield* flush()
}
