/** The events of a log as they are stored, for anyone who carries them elsewhere: no upgrade, no marker added. */
import { createHash } from 'node:crypto'
import type { SessionEvent } from '../../core/event/session-event.ts'
import { canonicalJson } from '../../core/json/canonical-json.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import type { LogItem } from './log-item.ts'
import { SessionReader } from './session-reader.ts'

export interface StoredLog {
  readonly header: JsonObject
  readonly events: AsyncIterable<SessionEvent>
}

/** The log's header and events; `undefined` when it has no header that can be read. */
export async function storedLog(source: RecordSource, limits: ReadLimits): Promise<StoredLog | undefined> {
  const reader = new SessionReader(source, limits, { asStored: true })
  const batches = reader.items()[Symbol.asyncIterator]()
  // What is wrong with the container comes before the header, and has no events in it.
  let first = await batches.next()
  while (reader.storedHeader === undefined && first.done !== true && !first.value.some(isEvent))
    first = await batches.next()
  if (reader.storedHeader === undefined) {
    await batches.return?.()
    return undefined
  }
  return { header: reader.storedHeader, events: eventsIn(first, batches) }
}

type Batches = AsyncIterator<readonly LogItem[]>

async function* eventsIn(
  first: Awaited<ReturnType<Batches['next']>>,
  batches: Batches,
): AsyncIterable<SessionEvent> {
  try {
    for (let batch = first; batch.done !== true; batch = await batches.next())
      for (const item of batch.value) if (isEvent(item)) yield item.event
  } finally {
    await batches.return?.()
  }
}

function isEvent(item: LogItem): item is Extract<LogItem, { kind: 'event' }> {
  return item.kind === 'event'
}

/** The events alone, header or not. */
export function storedEvents(source: RecordSource, limits: ReadLimits): AsyncIterable<SessionEvent> {
  return eventsOf(new SessionReader(source, limits, { asStored: true }))
}

/** What a reader gives that nobody else reads from. */
export async function* eventsOf(reader: SessionReader): AsyncIterable<SessionEvent> {
  for await (const items of reader.items())
    for (const item of items) if (item.kind === 'event') yield item.event
}

/** Number and hash of the events: two logs with the same hold deeply equal events in the same order. */
export async function eventsDigest(
  source: RecordSource,
  limits: ReadLimits,
): Promise<{ count: number; hash: string }> {
  const hash = createHash('sha256')
  let count = 0
  const log = await storedLog(source, limits)
  if (log !== undefined) {
    for await (const event of log.events) {
      hash.update(`${canonicalJson(event)}\n`)
      count++
    }
  }
  return { count, hash: hash.digest('hex') }
}
