/**
 * Header line → header and findings, in the order in which the shipped readers look (format.md §2.2, §2.6):
 * version first, so that a newer log is never called corrupt, then retired fields, then the shape.
 */
import { isFormatVersion, NEWEST_VERSION } from '../dialect/dialect.ts'
import { type Finding, findingOf } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { SessionHeader } from './session-event.ts'

const RETIRED = ['sandboxMode', 'approvalPolicy']

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
  for (const field of RETIRED) if (Object.hasOwn(value, field)) report('header/retired', { field })
  const isLater = isFormatVersion(version) && version >= 2
  const wanted = FIELDS.filter(({ formats }) => formats === undefined || (formats === 'later') === isLater)
  for (const { field, isValid, problem, required } of wanted) {
    const present = Object.hasOwn(value, field)
    if (present && !isValid(value[field])) report('header/invalid', { field, problem })
    if (present || required !== true) continue
    if (field === 'delegationDepth' && !isLater && isPrehistoric(value.createdAt))
      report('format/prehistoric', { version: version ?? null })
    else report('header/invalid', { field, problem: 'missing' })
  }
  const known = new Set([...wanted.map(({ field }) => field), ...RETIRED])
  for (const field of Object.keys(value)) {
    if (known.has(field)) continue
    if (isLater) report('header/invalid', { field, problem: 'not allowed in this format' })
    else report('header/unknown', { field })
  }
  return { header: readableHeader(value, isFormatVersion(version) ? version : 0), findings }
}

/** Every build since the end of July 2026 writes the delegation depth; a later log without it has lost it. */
export const DEPTH_SINCE = Date.UTC(2026, 7, 1)

function isPrehistoric(createdAt: JsonValue | undefined): boolean {
  return typeof createdAt === 'number' && createdAt < DEPTH_SINCE
}

interface Field {
  readonly field: string
  readonly isValid: (value: unknown) => boolean
  readonly problem: string
  readonly required?: true
  /** `early` for formats 0 and 1, `later` for 2 to 4; absent for all. */
  readonly formats?: 'early' | 'later'
}

const isCountNotMinusZero = (value: unknown): boolean => isCount(value) && !Object.is(value, -0)
const isString = (value: unknown): boolean => typeof value === 'string'

const WHOLE = 'must be a whole number from 0 on'

const FIELDS: readonly Field[] = [
  { field: 'type', isValid: (value) => value === 'session', problem: 'must be "session"', required: true },
  { field: 'version', isValid: isFormatVersion, problem: 'must be a number', required: true },
  { field: 'id', isValid: isName, problem: 'must be a non-empty string', required: true },
  { field: 'createdAt', isValid: isCountNotMinusZero, problem: 'must be whole milliseconds', required: true },
  { field: 'delegationDepth', isValid: isCountNotMinusZero, problem: WHOLE, required: true },
  { field: 'cwd', isValid: isAbsolutePath, problem: 'must be an absolute path' },
  { field: 'parentSession', isValid: isString, problem: 'must be a string' },
  { field: 'seedLength', isValid: isCount, problem: WHOLE, formats: 'early' },
  {
    field: 'isSeeded',
    isValid: (value) => typeof value === 'boolean',
    problem: 'must be true or false',
    required: true,
    formats: 'later',
  },
  { field: 'origin', isValid: (value) => value === 'subagent', problem: 'must be "subagent"' },
  { field: 'agentPreset', isValid: isString, problem: 'must be a string' },
]

/** Every member that a header of some format may have. */
export const HEADER_FIELDS: ReadonlySet<string> = new Set(FIELDS.map(({ field }) => field))

/** Absolute on POSIX or on Windows: a log travels between systems. */
function isAbsolutePath(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value)
}

function readableHeader(value: JsonObject, version: number): SessionHeader {
  const optional: Record<string, JsonValue> = {}
  for (const { field, isValid } of FIELDS) {
    const member = value[field]
    if (member !== undefined && member !== null && isValid(member)) optional[field] = member
  }
  const { type: _type, version: _version, ...fields } = optional
  const { id, createdAt } = fields
  return {
    ...fields,
    type: 'session',
    version,
    id: typeof id === 'string' ? id : '',
    createdAt: typeof createdAt === 'number' ? createdAt : 0,
  }
}
