/**
 * JSON as it comes out of a log: any shape at all, so every reader narrows before it looks.
 * Comparison walks with its own stack: a log may nest deeper than the call stack allows.
 */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value where it is an object, and otherwise one without members. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : NOTHING
}

const NOTHING: JsonObject = Object.freeze({})

/** The value where it is a text, and otherwise an empty one. */
export function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The items of a list; none where it is no list. */
export function itemsIn(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** The objects among the items of a list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return itemsIn(value).filter(isJsonObject)
}

/** A safe integer from 0 on: what a seq, a length or a position has to be. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** The same without -0, which JSON can hold and an integer cannot. */
export function isPlainCount(value: unknown): value is number {
  return isCount(value) && !Object.is(value, -0)
}

/** A safe integer from 1 on. */
export function isPositive(value: unknown): value is number {
  return isCount(value) && value > 0
}

/** A string with at least one character. */
/** A value as one word of a key or a sentence. `String` would follow a list as deeply as it nests. */
export function wordOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? '[list]' : '[object]'
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

type Present<Members> = {
  readonly [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key]
} & {
  readonly [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<
    Members[Key],
    undefined
  >
}

/** The members that are there: in a report, one that is undefined would be another thing than none. */
export function present<Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<Members>
}

/** Whether `object` has exactly the keys `required`, and beyond them only keys of `optional`. */
export function hasOnlyKeys(
  object: JsonObject,
  required: readonly string[],
  optional: readonly string[] = [],
): boolean {
  for (const key of required) if (!Object.hasOwn(object, key)) return false
  for (const key of Object.keys(object)) {
    if (!required.includes(key) && !optional.includes(key)) return false
  }
  return true
}

/** Deep equality of JSON values; the order of keys does not count, their number does. */
export function sameJson(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false
      pending.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]])
    }
  }
  return true
}
