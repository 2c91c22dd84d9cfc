/**
 * One thing that is wrong with a log, as a value: collected, never thrown. What a code means, how severe it is and
 * how it is worded is in the rule registry; a finding only says which rule, where, and with what evidence.
 */
import type { JsonObject } from '../json/json-value.ts'

import type { MemberEdit } from '../json/member-edit.ts'

import type { Origin } from './origin.ts'
import { type EvidenceOf, type FindingCode, ruleOf } from './rules.ts'

export type { Layer, Severity } from './rule.ts'

interface Circumstances {
  readonly origin: Origin
  readonly seq?: number
  /** What the record looks like where it is damaged. */
  readonly excerpt?: Excerpt
  /** Seqs of other events that belong to the picture. */
  readonly related?: readonly number[]
  /** What the event would have to say, where the rest of the log tells it: a repair writes that. */
  readonly told?: readonly MemberEdit[]
  /** The earlier finding without which this one would not be there. */
  readonly causedBy?: Finding
  /** What was said of the same thing before the rest of the log was known, and is taken back. */
  readonly instead?: Finding
}

/** A finding of one rule, with the evidence that the wording of the rule asks for. */
export interface FindingOf<Code extends FindingCode> extends Circumstances {
  readonly code: Code
  readonly args: EvidenceOf<Code>
}

/** One thing that is wrong with a log: which rule, where, and with what evidence. */
export type Finding = { [Code in FindingCode]: FindingOf<Code> }[FindingCode]

export type FindingSink = (finding: Finding) => void

/** For a rule that is known by its type only; with the code written out, an object does. */
export function findingOf<Code extends FindingCode>(
  code: Code,
  args: EvidenceOf<Code>,
  circumstances: Circumstances,
): Finding {
  return { code, args, ...circumstances } as unknown as Finding
}

/**
 * Identity of a finding that survives appends and moved lines: rule and event, not position in the file. Of the
 * evidence only what names something counts; numbers and lists may grow while the log does.
 */
export function fingerprintOf(finding: Finding, sessionId: string): string {
  const { code, seq, origin } = finding
  const place = seq !== undefined ? `seq ${seq}` : `byte ${origin.byteOffset ?? origin.row ?? 0}`
  const args: JsonObject = finding.args
  const names = Object.entries(ruleOf(code).args).filter(([, kind]) => kind === 'name' || kind === 'name?')
  return hash([sessionId, code, place, ...names.map(([key]) => args[key] ?? '')].join('\n'))
}

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

/** The text around a place where a record is damaged: enough to recognise it, and no dump. */
export interface Excerpt {
  readonly text: string
  /** Where the damage begins, in units of the text. */
  readonly at: number
}

const LONGEST = 80
/** Units that are shown before the place, where there are that many. */
const BEFORE = 50

export function excerptAround(text: string, offset: number): Excerpt {
  const from = Math.max(0, Math.min(offset - BEFORE, text.length - LONGEST))
  return { text: text.slice(from, from + LONGEST), at: offset - from }
}
