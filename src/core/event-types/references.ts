/**
 * Where the data of an event name other events: to rename them when a log is renumbered, and to leave them out when
 * events of two logs are compared.
 */
import { isCount, isJsonObject, type JsonObject, type JsonValue, wordOf } from '../json/json-value.ts'
import { holding, type Kind, type Member, memberOf } from './kinds.ts'
import { catalogued } from './vocabulary.ts'

export interface Renamer {
  /** The new seq of an event; `undefined` when the event is gone. */
  seq(seq: number): number | undefined
  /** A list of seqs; `grows` when events that were inserted after a listed one belong to it. */
  list(seqs: readonly number[], grows: boolean): readonly number[]
  /** The ends of a range, next to the list that it is the range of. */
  range(range: JsonObject, listed: readonly number[]): JsonObject
}

/** The data with every reference renamed. An event that is gone takes the member that names it with it. */
export function renamedData(type: string, data: JsonValue, names: Renamer): JsonValue {
  const kind = catalogued(type)?.data
  if (kind === undefined || !namesEvents(kind)) return data
  return renamed(kind, data, names) ?? data
}

/** The data without any reference; `undefined` when they name no other event. */
export function dataWithoutReferences(type: string, data: JsonValue): JsonValue | undefined {
  const kind = catalogued(type)?.data
  if (kind === undefined || !namesEvents(kind)) return undefined
  const bare = stripped(kind, data)
  return bare === data ? undefined : bare
}

/** Messages and content never name an event. */
const namesEvents = holding('seq', 'seqs', 'seq-range')

/** @returns `undefined` when the value cannot be without an event that is gone. */
function renamed(kind: Kind, value: JsonValue, names: Renamer): JsonValue | undefined {
  switch (kind.kind) {
    case 'seq':
      return isCount(value) ? names.seq(value) : value
    case 'seqs': {
      const seqs = seqsIn(value)
      return seqs === undefined ? value : names.list(seqs, kind.grows)
    }
    case 'list':
      return Array.isArray(value) ? value.flatMap((item) => renamed(kind.of, item, names) ?? []) : value
    case 'nullable':
      return renamed(kind.of, value, names)
    case 'object':
      return isJsonObject(value) ? renamedMembers(kind.members, value, names) : value
    case 'variants': {
      const found = isJsonObject(value) ? kind.cases[wordOf(value[kind.by])] : undefined
      return found === undefined ? value : renamed(found, value, names)
    }
    default:
      return value
  }
}

function renamedMembers(
  members: Readonly<Record<string, Member>>,
  value: JsonObject,
  names: Renamer,
): JsonObject | undefined {
  const out: Record<string, JsonValue | undefined> = { ...value }
  for (const [key, member] of Object.entries(members)) {
    const { of, optional } = memberOf(member)
    const before = value[key]
    if (before === undefined || !namesEvents(of)) continue
    if (of.kind === 'seq-range') {
      if (isJsonObject(before)) out[key] = names.range(before, seqsIn(value[of.of]) ?? [])
      continue
    }
    const after = renamed(of, before, names)
    if (after !== undefined) out[key] = after
    else if (optional) delete out[key]
    else return undefined
  }
  return out as JsonObject
}

/** The same value when there is nothing to leave out. */
function stripped(kind: Kind, value: JsonValue): JsonValue {
  switch (kind.kind) {
    case 'list':
      return Array.isArray(value) ? value.map((item) => stripped(kind.of, item)) : value
    case 'object':
      return isJsonObject(value) ? withoutMembers(kind.members, value) : value
    case 'variants': {
      const found = isJsonObject(value) ? kind.cases[wordOf(value[kind.by])] : undefined
      return found === undefined ? value : stripped(found, value)
    }
    default:
      return value
  }
}

function withoutMembers(members: Readonly<Record<string, Member>>, value: JsonObject): JsonObject {
  const naming = Object.entries(members).filter(
    ([key, member]) => Object.hasOwn(value, key) && namesEvents(memberOf(member).of),
  )
  if (naming.length === 0) return value
  const out: Record<string, JsonValue | undefined> = { ...value }
  for (const [key, member] of naming) {
    const { of } = memberOf(member)
    if (of.kind === 'seq' || of.kind === 'seqs' || of.kind === 'seq-range') delete out[key]
    else out[key] = stripped(of, value[key] as JsonValue)
  }
  return out as JsonObject
}

function seqsIn(value: JsonValue | undefined): readonly number[] | undefined {
  return Array.isArray(value) && value.every(isCount) ? (value as readonly number[]) : undefined
}
