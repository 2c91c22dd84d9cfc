/**
 * Which members of two JSON values differ, by their paths, with both values shortened around the place where they part.
 * Texts of several lines are compared line by line. Bounded in everything: number of members, depth, length.
 */
import { canonicalJson } from '../json/canonical-json.ts'
import { listOf, record, type Static, text, whole } from '../json/json-schema.ts'
import { sameJson } from '../json/json-value.ts'
import { lineChanges } from './line-changes.ts'

export const MEMBER_CHANGE = record(
  /** `data.message.content[0].text`; a name that is no identifier is in brackets as JSON. */
  { path: text },
  {
    /** JSON text of the value, shortened; absent where the member is. Absent on both sides when there are `lines`. */
    a: text,
    b: text,
    /** For texts of several lines: a unified diff. */
    lines: listOf(text),
    /** Lines of the diff that were left out. */
    hiddenLines: whole,
  },
)

export type MemberChange = Static<typeof MEMBER_CHANGE>

export interface MemberChanges {
  readonly members: readonly MemberChange[]
  /** Whether there are more than are listed. */
  readonly isCut: boolean
}

const MOST_MEMBERS = 20
const DEEPEST = 24
const MOST_LINES = 40
const LONGEST_LINE = 200
const LONGEST_VALUE = 120
/** Units in front of the first difference that are kept. */
const LEAD = 30

interface MemberPair {
  readonly path: string
  readonly a: unknown
  readonly b: unknown
  readonly depth: number
}

export function memberChanges(a: object, b: object): MemberChanges {
  const members: MemberChange[] = []
  const pending: MemberPair[] = [{ path: '', a, b, depth: 0 }]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (same(pair.a, pair.b)) continue
    if (members.length === MOST_MEMBERS) return { members, isCut: true }
    if (pair.depth < DEEPEST && bothHoldMembers(pair.a, pair.b))
      for (const inner of inside(pair).toReversed()) pending.push(inner)
    else members.push(changeAt(pair))
  }
  return { members, isCut: false }
}

function same(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && sameJson(a, b) && canonicalJson(a) === canonicalJson(b))
}

/** A list of plain values, such as seqs, is one value. */
function bothHoldMembers(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  return (
    !Array.isArray(a) || [...a, ...(b as unknown[])].some((item) => typeof item === 'object' && item !== null)
  )
}

function inside({ path, a, b, depth }: MemberPair): MemberPair[] {
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const isList = Array.isArray(a)
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return keys.map((key) => ({
    path: isList ? `${path}[${key}]` : joined(path, key),
    a: own(left, key),
    b: own(right, key),
    depth: depth + 1,
  }))
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function joined(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${path}[${JSON.stringify(cut(key, 0))}]`
  return path === '' ? key : `${path}.${key}`
}

function changeAt({ path, a, b }: MemberPair): MemberChange {
  if (typeof a === 'string' && typeof b === 'string' && (a.includes('\n') || b.includes('\n'))) {
    const { lines, hidden } = lineChanges(a, b, MOST_LINES, LONGEST_LINE)
    return { path, lines, ...(hidden !== undefined && { hiddenLines: hidden }) }
  }
  const [left, right] = [textOf(a), textOf(b)]
  const from = left === undefined || right === undefined ? 0 : Math.max(commonLength(left, right) - LEAD, 0)
  return {
    path,
    ...(left !== undefined && { a: cut(left, from) }),
    ...(right !== undefined && { b: cut(right, from) }),
  }
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value)
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

function cut(text: string, from: number): string {
  const end = from + LONGEST_VALUE
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`
}
