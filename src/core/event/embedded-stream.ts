/** The stream records inside an answer of format 2 and later (format.md §4.1 AssistantStreamRecord, §11 C10). */
import type { EvidenceOf } from '../findings/rules.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectIn, sameJson } from '../json/json-value.ts'
import { AssembledStream } from './assembled-stream.ts'

const RUNS: Readonly<Record<string, string>> = {
  'text-chunks': 'texts',
  'reasoning-chunks': 'texts',
  'tool-call-chunks': 'args',
}

type Settlement = EvidenceOf<'message/settlement-invalid'>

/** What is wrong with a record of a stream; `part` says which of its members. */
type RecordFault = Pick<Settlement, 'fault' | 'part'>

/** What is wrong with the first bad record of an embedded stream; `undefined` for a sound one. */
export function streamFault(stream: readonly JsonValue[]): (RecordFault & { record: number }) | undefined {
  for (const [index, record] of stream.entries()) {
    const found = isJsonObject(record) ? recordFault(record) : ({ fault: 'no-object' } as const)
    if (found !== undefined) return { ...found, record: index }
  }
  return undefined
}

function recordFault(record: JsonObject): RecordFault | undefined {
  if (record.type === 'chunk') {
    if (Object.keys(record).length !== 3) return { fault: 'members', part: 'type, time and chunk' }
    if (!Number.isSafeInteger(record.time)) return { fault: 'time' }
    return isJsonObject(record.chunk) && typeof record.chunk.type === 'string'
      ? undefined
      : { fault: 'chunk-type' }
  }
  const payload =
    typeof record.type === 'string' && Object.hasOwn(RUNS, record.type) ? RUNS[record.type] : undefined
  if (payload === undefined) return { fault: 'type' }
  const members = ['type', 'time0', 'index', 'dt', payload]
  if (payload === 'args') members.push('id')
  if (payload === 'args' && Object.hasOwn(record, 'name')) members.push('name')
  if (
    Object.keys(record).length !== members.length ||
    members.some((member) => !Object.hasOwn(record, member))
  ) {
    return { fault: 'members', part: members.join(', ') }
  }
  const texts = record[payload]
  const gaps = record.dt
  if (typeof record.index !== 'number') return { fault: 'index' }
  if (!Array.isArray(texts) || texts.length === 0 || texts.some((text) => typeof text !== 'string')) {
    return { fault: 'texts', part: payload }
  }
  if (!Array.isArray(gaps) || gaps.length !== texts.length - 1) return { fault: 'gaps' }
  let time = record.time0
  if (!Number.isSafeInteger(time)) return { fault: 'first-time' }
  for (const gap of gaps) {
    time = (time as number) + (gap as number)
    if (!Number.isSafeInteger(gap) || !Number.isSafeInteger(time)) return { fault: 'later-time' }
  }
  return undefined
}

/**
 * What a message of format 2 says otherwise than the stream it embeds; `undefined` when the two agree, and for an empty
 * stream, which says nothing (§11 C10).
 */
export function streamDisagreement(
  stream: readonly JsonValue[],
  data: JsonObject,
): 'content' | 'usage' | 'replay-state' | undefined {
  if (stream.length === 0) return undefined
  const told = assembledRecords(stream)
  const message = objectIn(data.message)
  if (!sameJson(told.content(data.interrupted === true) ?? null, message.content)) return 'content'
  if (!sameJson(told.usage ?? null, data.usage ?? null)) return 'usage'
  const source = objectIn(message.source)
  return sameJson(told.replayState ?? null, source.replayState ?? null) ? undefined : 'replay-state'
}

/** The block that a record ends; whatever its deltas were, this is the block. */
export function endedBlock(record: JsonValue): number | undefined {
  const chunk = isJsonObject(record) && record.type === 'chunk' ? objectIn(record.chunk) : {}
  const { type, index, block } = chunk
  return type === 'block-end' && typeof index === 'number' && block !== undefined ? index : undefined
}

/** What the records of a stream come to. */
function assembledRecords(records: readonly JsonValue[]): AssembledStream {
  const assembled = new AssembledStream()
  for (const record of records) {
    if (!isJsonObject(record)) continue
    const { type, index, id, name } = record
    if (type === 'chunk') {
      if (isJsonObject(record.chunk)) assembled.push(record.chunk)
      continue
    }
    const text = (record[RUNS[String(type)] as string] as readonly string[]).join('')
    if (type !== 'tool-call-chunks')
      assembled.push({ type: String(type).replace('-chunks', '-delta'), index: index ?? null, text })
    else
      assembled.push({
        type: 'tool-call-delta',
        index: index ?? null,
        id: id ?? null,
        ...(name !== undefined && { name }),
        argumentsDelta: text,
      })
  }
  return assembled
}
