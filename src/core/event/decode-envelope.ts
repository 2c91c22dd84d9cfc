/**
 * One JSON value whose seq has been accepted → event and findings (format.md §2.3). Whatever is wrong with the
 * envelope becomes a finding, and the event is still built, so that one bad member does not hide the rest.
 */
import type { Finding } from '../findings/finding.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts'
import type { Origin } from './origin.ts'
import type { SessionEvent } from './session-event.ts'

const MEMBERS = new Set(['type', 'seq', 'time', 'data', 'surfaceOp', 'sourceEventSeqs', 'ignorable'])

export function decodeEnvelope(
  row: JsonObject,
  seq: number,
  origin: Origin,
  report: (finding: Finding) => void,
): SessionEvent {
  const problem = (text: string, member: string): void =>
    report({ code: 'envelope/invalid', origin, seq, args: { problem: text, member } })
  for (const key in row) if (!MEMBERS.has(key)) problem(`unknown member ${key}`, key)
  const { type, time, data, surfaceOp, sourceEventSeqs, ignorable } = row
  if (typeof type !== 'string') problem('type must be a string', 'type')
  if (!Number.isSafeInteger(time)) problem('time must be a whole number of milliseconds', 'time')
  if (data === undefined) problem('data is missing', 'data')
  if (ignorable !== undefined && ignorable !== true) problem('ignorable may only be true', 'ignorable')
  const event: Record<string, unknown> = {
    type: typeof type === 'string' ? type : '',
    seq,
    time: Number.isSafeInteger(time) ? time : 0,
    data: data ?? null,
  }
  if (surfaceOp !== undefined) event.surfaceOp = surfaceOp
  if (sourceEventSeqs !== undefined) event.sourceEventSeqs = expandRanges(sourceEventSeqs, seq)
  if (ignorable === true) event.ignorable = true
  return event as unknown as SessionEvent
}

/**
 * Range-encoded sources: a pair `[a, b]` stands for a…b (format.md §2.3, written from 0.1.2 on). A list that breaks
 * the rules of the encoding is handed on as it is, for the surface rules to refuse.
 */
function expandRanges(sources: JsonValue, seq: number): JsonValue {
  if (!Array.isArray(sources) || !sources.some(Array.isArray)) return sources
  const expanded: number[] = []
  for (const item of sources as JsonValue[]) {
    const [first, last] = Array.isArray(item) && item.length === 2 ? item : [item, item]
    if (typeof first !== 'number' || typeof last !== 'number') return sources
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return sources
    const previous = expanded.at(-1) ?? -1
    if (first <= previous || first > last || last >= seq) return sources
    for (let source = first; source <= last; source++) expanded.push(source)
  }
  return expanded
}

/** The seq a row claims, when it is an object that claims one. */
export function claimedSeq(row: JsonValue): JsonValue | undefined {
  return isJsonObject(row) ? row.seq : undefined
}
