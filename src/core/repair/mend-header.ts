/** A session header with what is wrong in it put right: optional members go, required ones are told by the log. */
import { isFormatVersion } from '../dialect/dialect.ts'
import { decodeHeader } from '../event/decode-header.ts'
import { isCount, isName, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import { omit } from './row-mend.ts'

/** What the log tells about its header. */
export interface HeaderFacts {
  /** The format that the name of the file and the shapes of the rows speak for. */
  readonly version: number
  readonly firstTime: number
  /** Whether a marker ends an inherited part; unknown where rows are lost that may have been it. */
  readonly isSeeded: boolean | undefined
  /** The header that the place of the log suggests. */
  readonly suggested?: JsonObject | undefined
}

export interface MendedHeader {
  readonly header: JsonObject
  /** The members that changed. */
  readonly fields: readonly string[]
}

/** @returns nothing when there is nothing to mend, or when what is missing is not told. */
export function mendHeader(stored: JsonObject, facts: HeaderFacts): MendedHeader | undefined {
  if (!needsMending(stored) && !contradicts(stored, facts)) return undefined
  let header = omit(stored, 'sandboxMode', 'approvalPolicy')
  const fields = Object.keys(stored).filter((member) => !Object.hasOwn(header, member))
  const set = (field: string, value: JsonValue | undefined): void => {
    if (header[field] === value) return
    header = value === undefined ? omit(header, field) : { ...header, [field]: value }
    fields.push(field)
  }
  set('type', 'session')
  if (!isFormatVersion(header.version)) set('version', facts.version)
  const isLater = Number(header.version) >= 2
  if (!isName(header.id)) set('id', facts.suggested?.id)
  if (!isCount(header.createdAt) || Object.is(header.createdAt, -0))
    set('createdAt', timeIn(header.createdAt) ?? Math.max(0, facts.firstTime))
  if (!isCount(header.delegationDepth) || Object.is(header.delegationDepth, -0))
    set('delegationDepth', header.origin === 'subagent' ? 1 : 0)
  if (isLater && typeof header.isSeeded !== 'boolean') set('isSeeded', facts.isSeeded ?? false)
  if (contradicts(header, facts)) set('isSeeded', facts.isSeeded)
  for (const field of invalidFields(header)) set(field, field === 'cwd' ? facts.suggested?.cwd : undefined)
  return fields.length === 0 || needsMending(header) ? undefined : { header, fields }
}

/** The rows are what was inherited, or not; the header only says so. */
function contradicts(header: JsonObject, { isSeeded }: HeaderFacts): boolean {
  return Number(header.version) >= 2 && isSeeded !== undefined && header.isSeeded !== isSeeded
}

function needsMending(header: JsonObject): boolean {
  return decodeHeader(header, {}).findings.some(({ code }) => code !== 'header/unknown')
}

function invalidFields(header: JsonObject): readonly string[] {
  return decodeHeader(header, {}).findings.flatMap(({ code, args }) =>
    code === 'header/invalid' && typeof args.field === 'string' && Object.hasOwn(header, args.field)
      ? [args.field]
      : [],
  )
}

function timeIn(value: JsonValue | undefined): number | undefined {
  const time = typeof value === 'string' ? (/^\d+$/.test(value) ? Number(value) : Date.parse(value)) : value
  const whole = typeof time === 'number' ? Math.trunc(time) : undefined
  return isCount(whole) ? whole : undefined
}

/** The format that a row can only belong to, or nothing. */
export function formatOfRow(row: JsonObject): number | undefined {
  const { type, data } = row
  const message = objectIn(objectIn(data).message)
  if (type === 'assistant/chunk' || row.seq0 !== undefined) return 0
  if (type === 'tool/result' && message.role === 'tool') return 4
  if (type === 'developer/message') return 4
  if (type === 'system/message') {
    const source = objectIn(message.source).kind
    return source === 'plugin' ? 3 : 4
  }
  return undefined
}
