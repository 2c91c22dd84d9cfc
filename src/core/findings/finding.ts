/**
 * One thing that is wrong with a log, as a value: collected, never thrown. What a code means, how severe it is and
 * how it is worded stands in the rule registry; a finding only says which rule, where, and with what evidence.
 */
import type { JsonObject } from '../json/json-value.ts'
import type { Origin } from './origin.ts'
import type { FindingCode } from './rules.ts'

/** `error`: will not open, or loses something, or misleads the model. `warning`: mends itself, or is refused elsewhere. */
export type Severity = 'error' | 'warning' | 'info'

/** Which question about the log the rule answers. */
export type Layer = 'bytes' | 'order' | 'meaning' | 'compatibility'

export interface Finding {
  readonly code: FindingCode
  readonly origin: Origin
  readonly seq?: number
  /** The evidence, worded by the registry. */
  readonly args: JsonObject
  /** Seqs of other events that belong to the picture. */
  readonly related?: readonly number[]
  /** The earlier finding without which this one would not be there. */
  readonly causedBy?: Finding
}

export type FindingSink = (finding: Finding) => void

/**
 * Identity of a finding that survives appends and moved lines: rule and event, not position in the file. Of the
 * evidence only what names something counts; numbers and lists may grow while the log does.
 */
export function fingerprintOf(finding: Finding, sessionId: string): string {
  const { seq, origin } = finding
  const place = seq !== undefined ? `seq ${seq}` : `byte ${origin.byteOffset ?? origin.row ?? 0}`
  const names = IDENTITY.map((key) => finding.args[key] ?? '').join('\n')
  return hash(`${sessionId}\n${finding.code}\n${place}\n${names}`)
}

const IDENTITY = ['type', 'callId', 'member', 'field', 'id', 'file', 'what', 'shape', 'target']

/** 64 bits of FNV-1a in two interleaved halves: an identity, not a checksum. */
function hash(text: string): string {
  let low = 0x811c9dc5
  let high = 0xcbf29ce4
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ (low >>> 24), 0x01000193)
  }
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0')
}
