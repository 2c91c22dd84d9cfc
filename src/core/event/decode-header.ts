/**
 * Header line → header and findings, in the order in which the format-0 reader looks (format.md §2.2, §2.6):
 * version first, so that a newer log is never called corrupt, then retired fields, then the shape.
 */
import type { Finding } from '../findings/finding.ts'
import type { FindingCode } from '../findings/rules.ts'
import { hasOnlyKeys, isCount, isJsonObject, type JsonObject, type JsonValue } from './json-value.ts'
import type { Origin } from './origin.ts'
import type { SessionHeader } from './session-event.ts'

export const KNOWN_VERSION = 0

const RETIRED = ['sandboxMode', 'approvalPolicy']
const REQUIRED = ['type', 'version', 'id', 'createdAt', 'delegationDepth']
const OPTIONAL = ['cwd', 'parentSession', 'seedLength', 'origin', 'agentPreset']

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
  const report = (code: FindingCode, args: JsonObject): void => {
    findings.push({ code, origin, args })
  }
  if (!isJsonObject(value)) {
    report('header/missing', { problem: 'it is no JSON object' })
    return { findings }
  }
  const { version } = value
  if (typeof version === 'number' && version !== KNOWN_VERSION) {
    report(version > KNOWN_VERSION ? 'format/newer' : 'format/older', { version, known: KNOWN_VERSION })
    return { header: readableHeader(value, version), findings }
  }
  if (!looksLikeHeader(value)) {
    report('header/missing', { problem: 'it is another JSON object' })
    return { findings }
  }
  for (const field of RETIRED) if (Object.hasOwn(value, field)) report('header/retired', { field })
  for (const [field, isValid, problem] of FIELDS) {
    const present = Object.hasOwn(value, field)
    if (!present && REQUIRED.includes(field)) report('header/invalid', { field, problem: 'missing' })
    if (present && !isValid(value[field])) report('header/invalid', { field, problem })
  }
  if (!hasOnlyKeys(value, [], [...REQUIRED, ...OPTIONAL, ...RETIRED])) {
    for (const field of Object.keys(value)) {
      if (!REQUIRED.includes(field) && !OPTIONAL.includes(field) && !RETIRED.includes(field)) {
        report('header/unknown', { field })
      }
    }
  }
  return { header: readableHeader(value, KNOWN_VERSION), findings }
}

const isCountNotMinusZero = (value: unknown): boolean => isCount(value) && !Object.is(value, -0)
const isString = (value: unknown): boolean => typeof value === 'string'

const FIELDS: readonly (readonly [field: string, isValid: (value: unknown) => boolean, problem: string])[] = [
  ['type', (value) => value === 'session', 'must be "session"'],
  ['version', (value) => value === KNOWN_VERSION, 'must be a number'],
  ['id', (value) => isString(value) && value !== '', 'must be a non-empty string'],
  ['createdAt', isCountNotMinusZero, 'must be a whole number of milliseconds'],
  ['delegationDepth', isCountNotMinusZero, 'must be a whole number from 0 on'],
  ['cwd', isAbsolutePath, 'must be an absolute path'],
  ['parentSession', isString, 'must be a string'],
  ['seedLength', isCount, 'must be a whole number from 0 on'],
  ['origin', (value) => value === 'subagent', 'must be "subagent"'],
  ['agentPreset', isString, 'must be a string'],
]

/** Absolute on POSIX or on Windows: a log travels between systems. */
function isAbsolutePath(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value)
}

function readableHeader(value: JsonObject, version: number): SessionHeader {
  const optional: Record<string, JsonValue> = {}
  for (const [field, isValid] of FIELDS) {
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
