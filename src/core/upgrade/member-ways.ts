/** What the catalogue says of the members on the way to a value: what kind it is, and what on the way can be left out. */
import { EVENT_TYPES } from '../event-types/event-types.ts'
import { type Kind, memberOf } from '../event-types/kinds.ts'
import { BLOCKS, MESSAGE, type SOURCES } from '../event-types/values.ts'
import { isJsonObject, type JsonValue, objectIn } from '../json/json-value.ts'

export type Way = readonly (string | number)[]

export interface Found {
  /** The kind at the end of the way, as far as the catalogue knows it. */
  readonly kind: Kind | undefined
  /** Length of the shortest part of the way, counted from its end, whose last member is optional. */
  readonly optional: number | undefined
}

/** Flags of what the model sees: they are optional, and still nobody may leave them out. */
const VISIBLE: ReadonlySet<string> = new Set(['isError', 'interrupted', 'offloaded'])

/** @param way - begins with `data`. */
export function followWay(type: string, data: JsonValue | undefined, way: Way): Found {
  let kind: Kind | undefined = Object.hasOwn(EVENT_TYPES, type) ? EVENT_TYPES[type]?.data : undefined
  let value = data
  let optional: number | undefined
  for (const [index, key] of way.entries()) {
    if (index === 0) continue
    const members = membersOf(kind, value)
    if (members !== undefined && typeof key === 'string') {
      const member = Object.hasOwn(members, key) ? memberOf(members[key] as Kind) : undefined
      if (member?.optional === true && !VISIBLE.has(key)) optional = index + 1
      kind = member?.of
    } else kind = itemOf(kind)
    value = inside(value, key)
  }
  return { kind, optional }
}

/** The value at the end of a way; `undefined` where it leads nowhere. */
export function valueAt(row: JsonValue, way: Way): JsonValue | undefined {
  let value: JsonValue | undefined = row
  for (const key of way) value = inside(value, key)
  return value
}

function inside(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined
  return value !== undefined && isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function membersOf(kind: Kind | undefined, value: JsonValue | undefined) {
  switch (kind?.kind) {
    case 'object':
      return kind.members
    case 'word-or-object':
      return kind.object.members
    case 'message':
      return MESSAGE.members
    case 'nullable':
      return kind.of.kind === 'object' ? kind.of.members : undefined
    case 'variants':
      return caseOf(kind, value)
    case 'block':
      return caseOf(BLOCKS, value)
    default:
      return undefined
  }
}

function caseOf({ by, cases }: typeof SOURCES, value: JsonValue | undefined) {
  const word = objectIn(value)[by]
  return typeof word === 'string' && Object.hasOwn(cases, word) ? cases[word]?.members : undefined
}

function itemOf(kind: Kind | undefined): Kind | undefined {
  switch (kind?.kind) {
    case 'list':
      return kind.of
    case 'content':
      return { kind: 'block' }
    case 'seqs':
      return { kind: 'seq' }
    default:
      return undefined
  }
}
