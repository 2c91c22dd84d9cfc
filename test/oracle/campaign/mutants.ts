/**
 * One member changed at a time, at every depth: removed, null, of every other kind, empty, another text, negative,
 * fractional, `-0`, too large, extended by a foreign member; and whole events put in the place of others.
 */
import type { Member, Members } from './log-draft.ts'

export interface Mutant {
  /** Type of the event, or `session` for the header. */
  readonly type: string
  /** Position among the rows, the header included. */
  readonly row: number
  /** Members on the way, indices as `[]`. */
  readonly path: string
  readonly change: string
  /** The changed log, made when it is asked for: most of a campaign's share is not. */
  readonly text: () => string
}

/** `JSON.stringify` has no word for it. */
const MINUS_ZERO = '@minus zero@'
const UNSAFE = 2 ** 53

export function* mutants(rows: readonly Members[]): Generator<Mutant> {
  const lines = rows.map((row) => JSON.stringify(row))
  const logWith = (at: number, ...replaced: readonly string[]): string =>
    `${lines.toSpliced(at, replaced.length, ...replaced).join('\n')}\n`
  for (const [row, value] of rows.entries()) {
    const type = String(value.type)
    const seen = new Set<string>()
    for (const { path, change, value: changed } of changes(value, '')) {
      // Members of a list are alike; the first and the last of each kind say enough.
      const key = `${path} ${change}`
      if (path.includes('[]') && seen.has(key)) continue
      seen.add(key)
      yield { type, row, path, change, text: () => logWith(row, lineOf(changed)) }
    }
    yield* displaced(rows, row, type, logWith)
  }
}

function lineOf(row: Member): string {
  return JSON.stringify(row).replaceAll(`"${MINUS_ZERO}"`, '-0')
}

/** The event at another place: what relations between events say of it. */
function* displaced(
  rows: readonly Members[],
  row: number,
  type: string,
  logWith: (at: number, ...lines: readonly string[]) => string,
): Generator<Mutant> {
  const value = rows[row]
  const next = rows[row + 1]
  if (row === 0 || value?.seq === undefined || value.surfaceOp !== undefined) return
  const { seq, time } = value
  if (seq === undefined || time === undefined) return
  const filler = { type: 'plan/mode', seq, time, data: { active: false } }
  yield {
    type,
    row,
    path: '',
    change: 'another event in its place',
    text: () => logWith(row, JSON.stringify(filler)),
  }
  if (next?.seq === undefined || next.surfaceOp !== undefined || next.time === undefined) return
  const later = { ...value, seq: next.seq, time: next.time }
  const earlier = { ...next, seq, time }
  yield {
    type,
    row,
    path: '',
    change: 'swapped with the next',
    text: () => logWith(row, JSON.stringify(earlier), JSON.stringify(later)),
  }
  yield {
    type,
    row,
    path: '',
    change: 'in the place of the next',
    text: () => logWith(row + 1, JSON.stringify(later)),
  }
}

interface Change {
  readonly path: string
  readonly change: string
  readonly value: Member
}

function* changes(value: Member, path: string): Generator<Change> {
  if (Array.isArray(value)) {
    for (const [index, member] of (value as readonly Member[]).entries()) {
      const inner = `${path}[]`
      const rest = (value as readonly Member[]).toSpliced(index, 1)
      yield { path: inner, change: 'removed', value: rest }
      yield {
        path: inner,
        change: 'doubled',
        value: (value as readonly Member[]).toSpliced(index, 0, member),
      }
      yield* replaced(member, inner, (next) => (value as readonly Member[]).with(index, next))
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  const object = value as Members
  yield { path, change: 'a foreign member', value: { ...object, foreign: 1 } }
  for (const [key, member] of Object.entries(object)) {
    const inner = path === '' ? key : `${path}.${key}`
    const { [key]: _, ...rest } = object
    yield { path: inner, change: 'removed', value: rest }
    yield* replaced(member, inner, (next) => ({ ...object, [key]: next }))
  }
}

function* replaced(member: Member, path: string, put: (next: Member) => Member): Generator<Change> {
  for (const [change, next] of replacements(member)) yield { path, change, value: put(next) }
  for (const inner of changes(member, path)) yield { ...inner, value: put(inner.value) }
}

function replacements(member: Member): readonly (readonly [change: string, next: Member])[] {
  const kind = kindOf(member)
  const out: [string, Member][] = []
  if (kind !== 'null') out.push(['null', null])
  if (kind !== 'string') out.push(['a text', 'text'])
  if (kind !== 'number') out.push(['a number', 7])
  if (kind !== 'boolean') out.push(['true', true])
  if (kind !== 'object') out.push(['an object', { a: 1 }])
  if (kind !== 'list') out.push(['a list', ['a']])
  switch (kind) {
    case 'string':
      out.push(['empty', ''], ['another text', `another ${String(member)}`])
      break
    case 'number':
      out.push(
        ['zero', 0],
        ['negative', -1],
        ['fractional', 1.5],
        ['minus zero', MINUS_ZERO],
        ['unsafe', UNSAFE],
      )
      out.push(['one more', (member as number) + 1])
      break
    case 'boolean':
      out.push(['the other', member !== true])
      break
    case 'object':
      out.push(['empty', {}])
      break
    case 'list':
      out.push(['empty', []])
      break
    case 'null':
      break
  }
  return out
}

function kindOf(member: Member): 'null' | 'list' | 'object' | 'string' | 'number' | 'boolean' {
  if (member === null) return 'null'
  if (Array.isArray(member)) return 'list'
  return typeof member as 'object' | 'string' | 'number' | 'boolean'
}
