/** Small edits of a JSON value, as data. */
import { isJsonObject, type JsonObject, type JsonValue, sameJson } from './json-value.ts'

/** One member of an object by the way to it: set, or taken out where there is no value. */
export interface MemberEdit {
  readonly at: readonly (string | number)[]
  readonly value?: JsonValue
}

export function withMembers(object: JsonObject, edits: readonly MemberEdit[]): JsonObject {
  return edits.reduce((edited, { at, value }) => withMember(edited, at, value) as JsonObject, object)
}

/** Whether an object says already what an edit would make it say. */
export function saysAlready(object: object, { at, value }: MemberEdit): boolean {
  const found = at.reduce<unknown>((from, key) => (from as JsonObject | undefined)?.[key], object)
  return sameJson(found, value)
}

/** A member that is not there stays away, and so does one on a way that leads nowhere. */
function withMember(
  value: JsonValue | undefined,
  [key, ...rest]: readonly (string | number)[],
  to: JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return to
  if (Array.isArray(value) && typeof key === 'number') {
    if (key >= value.length) return value
    const item = withMember(value[key], rest, to)
    return item === undefined ? value.toSpliced(key, 1) : value.with(key, item)
  }
  if (!isJsonObject(value as JsonValue) || typeof key !== 'string') return value
  const object = value as JsonObject
  const member = withMember(object[key], rest, to)
  if (member !== undefined) return { ...object, [key]: member }
  const { [key]: _, ...others } = object
  return others
}
