/**
 * One JSON value whose seq has been accepted → event and findings (format.md §2.3). Whatever is wrong with the
 * envelope becomes a finding, and the event is still built, so that one bad member does not hide the rest.
 */
import { isEnvelopeMember } from '../dialect/row-damage.ts'
import { hasRanges, readSources } from '../dialect/source-ranges.ts'
import type { Finding } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { EvidenceOf } from '../findings/rules.ts'
import { type JsonObject, type JsonValue, stringIn } from '../json/json-value.ts'
import type { SessionEvent } from './session-event.ts'

export function decodeEnvelope(
  row: JsonObject,
  seq: number,
  origin: Origin,
  report: (finding: Finding) => void,
): SessionEvent {
  const wrong = (fault: EvidenceOf<'envelope/invalid'>['fault'], member: string): void =>
    report({ code: 'envelope/invalid', origin, seq, args: { fault, member } })
  for (const key in row) if (!isEnvelopeMember(key)) wrong('unknown-member', key)
  const { type, time, data, surfaceOp, sourceEventSeqs, ignorable } = row
  if (typeof type !== 'string') wrong('type', 'type')
  if (!Number.isSafeInteger(time)) wrong('time', 'time')
  if (data === undefined) wrong('no-data', 'data')
  if (ignorable !== undefined && ignorable !== true) wrong('ignorable', 'ignorable')
  const event: Record<string, unknown> = {
    type: stringIn(type),
    seq,
    time: Number.isSafeInteger(time) ? time : 0,
    data: data ?? null,
  }
  if (surfaceOp !== undefined) event.surfaceOp = surfaceOp
  if (sourceEventSeqs !== undefined) event.sourceEventSeqs = expanded(sourceEventSeqs, seq)
  if (ignorable === true) event.ignorable = true
  return event as unknown as SessionEvent
}

/** A list that breaks the rules of ranges is handed on as it is, for the surface rules to refuse. */
function expanded(stored: JsonValue, seq: number): JsonValue {
  if (!hasRanges(stored)) return stored
  const sources = readSources(stored, seq)
  return sources.kind === 'list' ? sources.seqs : stored
}
