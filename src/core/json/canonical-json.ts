/**
 * One JSON text for values that say the same (RFC 8785): no space, and members in the order of their UTF-16 units. Only -0
 * is written as it is, because a reader of DSH tells it from 0 (format.md §2.1). It is what hashes of logs are made of.
 */
import { type JsonWriting, walkedJson } from './stringify-json.ts'

/** @param value - JSON; members that are `undefined` are left out. */
export function canonicalJson(value: unknown): string {
  return written(value, CANONICAL, (object) => Object.keys(object).sort())
}

/** The same with members in their own order: what is read back is what was written. */
export function exactJson(value: unknown): string {
  return written(value, EXACT, Object.keys)
}

function written(value: unknown, writing: JsonWriting, keysOf: (object: object) => string[]): string {
  try {
    return text(value, keysOf)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return walkedJson(value, writing)
  }
}

function text(value: unknown, keysOf: (object: object) => string[]): string {
  if (typeof value !== 'object' || value === null) return leaf(value)
  if (Array.isArray(value)) return `[${value.map((item) => text(item, keysOf)).join(',')}]`
  let members = ''
  for (const key of keysOf(value)) {
    const child = (value as Record<string, unknown>)[key]
    if (child !== undefined)
      members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${text(child, keysOf)}`
  }
  return `{${members}}`
}

function leaf(value: unknown): string {
  return Object.is(value, -0) ? '-0' : (JSON.stringify(value) ?? 'null')
}

const EXACT: JsonWriting = { leaf, members: Object.entries }

const CANONICAL: JsonWriting = {
  leaf,
  members: (object) =>
    Array.isArray(object)
      ? Object.entries(object)
      : Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)),
}
