/**
 * What makes a row that parses count as damaged, so that the tail rule applies to it: fatal when a turn end follows,
 * dropped with all that comes after it when none does. Formats 0 and 1 know nothing of the kind; the later ones
 * look at the envelope and the source list, and format 3 at the rules of its events too (format.md §11 C3, C7, §12.B).
 * For format 2 this is what the published reader does.
 */
import { eventType, isKnownType } from '../event-types/vocabulary.ts'
import { isJsonObject, isPlainCount, type JsonObject, objectIn } from '../json/json-value.ts'
import { readSources } from './source-ranges.ts'

/** The members of an event in every format. */
export function isEnvelopeMember(member: string): boolean {
  switch (member) {
    case 'type':
    case 'seq':
    case 'time':
    case 'data':
    case 'surfaceOp':
    case 'sourceEventSeqs':
    case 'ignorable':
      return true
    default:
      return false
  }
}

/** @returns what is wrong with the row, or `undefined`. The seq itself has been judged already. */
export function rowDamage(row: JsonObject, seq: number, version: number): string | undefined {
  if (version < 2) return undefined
  const envelope = envelopeDamage(row)
  if (envelope !== undefined) return envelope
  if (row.sourceEventSeqs !== undefined) {
    const sources = readSources(row.sourceEventSeqs, seq)
    if (sources.kind === 'invalid') return sources.problem
  }
  if (version === 3) return eventDamage(row, seq)
  if (version === 4 && row.type === 'session/end-seed' && !isJsonObject(row.data))
    return 'data must be an object'
  return undefined
}

const NEEDED = ['type', 'seq', 'time', 'data'] as const

/** What the readers of formats 2 to 4 have against the envelope. */
export function envelopeDamage(row: JsonObject): string | undefined {
  for (const member of NEEDED) if (row[member] === undefined) return `${member} is missing`
  for (const member in row) if (!isEnvelopeMember(member)) return `unknown member ${member}`
  if (typeof row.type !== 'string') return 'type must be a string'
  if (!Number.isSafeInteger(row.time) || Object.is(row.time, -0))
    return 'time must be a whole number of milliseconds'
  if (row.ignorable !== undefined && row.ignorable !== true) return 'ignorable may only be true'
  return undefined
}

function eventDamage(row: JsonObject, seq: number): string | undefined {
  const type = row.type as string
  const { surfaceOp: op, sourceEventSeqs: sources, data } = row
  if (!isKnownType(type, 3)) return undefined
  if (Object.is(row.seq, -0)) return 'seq must be a whole number from 0 on'
  if (eventType(type)?.surface !== true) {
    if (op !== undefined) return 'surfaceOp on an event that makes no message'
    if (sources !== undefined) return 'sourceEventSeqs on an event that makes no message'
    return type === 'request/header' ? emptyHeaderField(data) : undefined
  }
  if (op === undefined) return 'a message needs surfaceOp'
  if (op !== 'append') {
    const exact = isJsonObject(op) && op.op === 'replace' && Object.keys(op).length === 3
    if (!exact || !isPlainCount(op.startSeq) || !isPlainCount(op.endSeq)) {
      return 'a replacement needs exactly op, startSeq and endSeq'
    }
    if (op.startSeq >= seq || op.endSeq >= seq) return 'a replacement must name earlier events'
  }
  if (type === 'assistant/message' && sources !== undefined)
    return 'an assistant message cannot carry sourceEventSeqs'
  if (Array.isArray(sources) && sources.length === 0) return 'sourceEventSeqs must not be empty'
  return type === 'tool/result' ? errorWithoutFailure(data) : undefined
}

function emptyHeaderField(data: unknown): string | undefined {
  const header = objectIn(data).header
  if (!isJsonObject(header)) return undefined
  const { tools, adapterDefaults } = header
  const empty = Array.isArray(tools) && tools.length === 0
  const none = isJsonObject(adapterDefaults) && Object.keys(adapterDefaults).length === 0
  return empty || none ? 'empty optional header fields must be left out' : undefined
}

function errorWithoutFailure(data: unknown): string | undefined {
  if (!isJsonObject(data) || data.error === undefined) return undefined
  const message = objectIn(data.message)
  const block = Array.isArray(message.content) && isJsonObject(message.content[0]) ? message.content[0] : {}
  return block.isError === true ? undefined : 'a result that is no error carries error metadata'
}
