/**
 * Header line → header and findings, in the order in which the shipped readers look (format.md §2.2, §2.6):
 * version first, so that a newer log is never called corrupt, then retired fields, then the shape.
 */
import { isFormatVersion, NEWEST_VERSION } from '../dialect/dialect.ts'
import { HEADER } from '../event-types/envelope.ts'
import { memberOf } from '../event-types/kinds.ts'
import { memberFault } from '../event-types/member-faults.ts'
import { kindRefusals, type Refusal } from '../event-types/refusals.ts'
import { type Finding, findingOf } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue, stringIn } from '../json/json-value.ts'
import type { SessionHeader } from './session-event.ts'

const RETIRED: readonly string[] = Object.entries(HEADER.members).flatMap(([field, member]) =>
  memberOf(member).early === true ? [field] : [],
)

/** Every member that a header of some format may have. */
export const HEADER_FIELDS: ReadonlySet<string> = new Set(
  Object.keys(HEADER.members).filter((field) => !RETIRED.includes(field)),
)

export interface DecodedHeader {
  /** Absent when the value is no header at all. Otherwise what could be read; bad fields are left out. */
  readonly header?: SessionHeader
  readonly findings: readonly Finding[]
}

/** Whether a JSON value presents itself as a session header, right or wrong. */
export function looksLikeHeader(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && (value.type === 'session' || (isCount(value.version) && 'createdAt' in value))
}

export function decodeHeader(value: JsonValue, origin: Origin): DecodedHeader {
  const findings: Finding[] = []
  const report = <Code extends FindingCode>(code: Code, args: EvidenceOf<Code>): void => {
    findings.push(findingOf(code, args, { origin }))
  }
  if (!isJsonObject(value)) {
    report('header/missing', { problem: 'it is no JSON object' })
    return { findings }
  }
  const { version } = value
  if (typeof version === 'number' && !isFormatVersion(version)) {
    report(version > NEWEST_VERSION ? 'format/newer' : 'format/older', { version, known: NEWEST_VERSION })
    return { header: readableHeader(value, version), findings }
  }
  if (!looksLikeHeader(value)) {
    report('header/missing', { problem: 'it is another JSON object' })
    return { findings }
  }
  const format = isFormatVersion(version) ? version : 0
  const isLater = format >= 2
  for (const field of RETIRED) if (Object.hasOwn(value, field)) report('header/retired', { field })
  const refusals = refusalsOf(value, format)
  for (const field of Object.keys(HEADER.members)) {
    const refusal = refusals.get(field)
    if (RETIRED.includes(field) || refusal === undefined || refusal.problem === 'unexpected') continue
    const { problem, fault } = refusal
    if (field === 'delegationDepth' && problem === 'missing' && !isLater && isPrehistoric(value.createdAt))
      report('format/prehistoric', { version: version ?? null })
    else report('header/invalid', { field, problem: problem === 'missing' ? 'missing' : memberFault(fault) })
  }
  for (const [field, { problem }] of refusals) {
    if (problem !== 'unexpected' || RETIRED.includes(field)) continue
    if (isLater) report('header/invalid', { field, problem: 'not allowed in this format' })
    else report('header/unknown', { field })
  }
  return { header: readableHeader(value, format), findings }
}

/** What the format has against the members. Only a migration minds a version or a seed length of minus zero. */
function refusalsOf(header: JsonObject, format: number): ReadonlyMap<string, Refusal> {
  const { version, seedLength } = header
  const checked = {
    ...header,
    ...(Object.is(version, -0) && { version: 0 }),
    ...(Object.is(seedLength, -0) && { seedLength: 0 }),
  }
  const refusals = new Map<string, Refusal>()
  kindRefusals(HEADER, checked, { root: 'header', type: 'header', format, seq: 0 }, (refusal) =>
    refusals.set(String(refusal.at.at(-1)), refusal),
  )
  return refusals
}

/** Every build since the end of July 2026 writes the delegation depth; a later log without it has lost it. */
export const DEPTH_SINCE = Date.UTC(2026, 7, 1)

function isPrehistoric(createdAt: JsonValue | undefined): boolean {
  return typeof createdAt === 'number' && createdAt < DEPTH_SINCE
}

/** The members that can be read, whichever format they belong to. */
function readableHeader(value: JsonObject, version: number): SessionHeader {
  const refused = [0, NEWEST_VERSION].map((format) => refusalsOf(value, format))
  const isSound = (field: string): boolean => refused.some((refusals) => !refusals.has(field))
  const fields = Object.keys(HEADER.members).filter((field) => Object.hasOwn(value, field) && isSound(field))
  const {
    type: _type,
    version: _version,
    ...others
  } = Object.fromEntries(fields.map((field) => [field, value[field]]))
  const { id, createdAt } = others
  return {
    ...others,
    type: 'session',
    version,
    id: stringIn(id),
    createdAt: typeof createdAt === 'number' ? createdAt : 0,
  } as SessionHeader
}
