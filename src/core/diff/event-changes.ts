/** A match of two logs → its differences in the order of the logs, with like ones that follow one another in one. */
import { type Change, countKind } from './change.ts'
import { type EventList, type EventMatch, FATE, GONE } from './match-events.ts'
import type { MemberChanges } from './member-changes.ts'

export interface MatchedLogs {
  readonly a: EventList
  readonly b: EventList
  readonly match: EventMatch
  /** Names of the types by their numbers. */
  readonly types: readonly string[]
  /** What differs in changed events, by their position in the first log. Not of all, when there are many. */
  readonly details: ReadonlyMap<number, MemberChanges>
}

/** Made while it is read: a log may hold millions of events. */
export function* eventChanges(logs: MatchedLogs): Iterable<Change> {
  const { a, b, match } = logs
  const { partners, origins, fates } = match
  let [i, j] = [0, 0]
  while (i < a.seqs.length || j < b.seqs.length) {
    const fate = i < a.seqs.length ? fates[i] : undefined
    if (fate === FATE.removed) {
      const from = i
      while (i < a.seqs.length && fates[i] === FATE.removed) i++
      yield {
        level: 'log',
        change: 'removed',
        count: i - from,
        a: place(a, from, i),
        kinds: kinds(logs, a, from, i),
      }
    } else if (fate === FATE.moved) {
      const from = i
      i = endOfRun(match, from)
      yield both(logs, 'moved', from, i)
    } else if (j < b.seqs.length && origins[j] === GONE) {
      const from = j
      while (j < b.seqs.length && origins[j] === GONE) j++
      yield {
        level: 'log',
        change: 'added',
        count: j - from,
        b: place(b, from, j),
        kinds: kinds(logs, b, from, j),
      }
    } else if (j < b.seqs.length && fates[origins[j] as number] === FATE.moved) j++
    else if (fate === FATE.changed) {
      const details = logs.details.get(i)
      yield {
        ...both(logs, 'changed', i, i + 1),
        ...(details !== undefined && { members: details.members, ...(details.isCut && { more: true }) }),
      }
      i++
      j++
    } else {
      const from = i
      const shift = shiftAt(a, b, partners, i)
      while (
        i < a.seqs.length &&
        fates[i] === FATE.same &&
        partners[i] === j &&
        shiftAt(a, b, partners, i) === shift
      ) {
        i++
        j++
      }
      if (shift !== 0) yield both(logs, 'renumbered', from, i)
    }
  }
}

export function eventCounts({ a, b, match }: MatchedLogs) {
  const { partners, origins, fates } = match
  const counts = { same: 0, added: 0, removed: 0, changed: 0, renumbered: 0, moved: 0 }
  for (let i = 0; i < fates.length; i++) {
    if (fates[i] === FATE.removed) counts.removed++
    else if (fates[i] === FATE.changed) counts.changed++
    else if (fates[i] === FATE.moved) counts.moved++
    else if (shiftAt(a, b, partners, i) === 0) counts.same++
    else counts.renumbered++
  }
  for (let j = 0; j < origins.length; j++) if (origins[j] === GONE) counts.added++
  return counts
}

function shiftAt(a: EventList, b: EventList, partners: Int32Array, i: number): number {
  return (b.seqs[partners[i] as number] as number) - (a.seqs[i] as number)
}

/** Moved events that follow one another in both logs. */
function endOfRun({ partners, fates }: EventMatch, from: number): number {
  let end = from + 1
  while (fates[end] === FATE.moved && partners[end] === (partners[end - 1] as number) + 1) end++
  return end
}

function both(logs: MatchedLogs, change: Change['change'], from: number, end: number): Change {
  const { a, b, match } = logs
  const first = match.partners[from] as number
  return {
    level: 'log',
    change,
    count: end - from,
    a: place(a, from, end),
    b: place(b, first, first + end - from),
    kinds: kinds(logs, a, from, end),
  }
}

function place({ seqs }: EventList, from: number, end: number): { first: number; last: number } {
  return { first: seqs[from] as number, last: seqs[end - 1] as number }
}

function kinds({ types }: MatchedLogs, list: EventList, from: number, end: number): Record<string, number> {
  const counts: Record<string, number> = {}
  for (let at = from; at < end; at++) countKind(counts, types[list.types[at] as number] as string)
  return counts
}
