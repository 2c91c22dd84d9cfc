/**
 * Changes of a log by the seqs of its events, as data: what a planner yields. `load/repair/apply-edits.ts` is the one
 * place that applies them.
 */
import type { JsonObject } from '../json/json-value.ts'
import type { MemberEdit } from '../json/member-edit.ts'
import { type Renaming, renaming } from './renumber-row.ts'
import type { RepairStep } from './repair-step.ts'
import type { RowPatches } from './row-patches.ts'
import { type MovedRange, SeqMap } from './seq-map.ts'

export interface EventEdits {
  /** Where events go, and with them every reference; an event without a new seq is taken out. */
  readonly names?: EventNames
  /** Why the events without a new seq are taken out. */
  readonly why?: string
  /** Small changes of single rows, by the seq that the event has before the edit. */
  readonly patches?: RowPatches
  /** Members of the header that change. */
  readonly header?: readonly MemberEdit[]
  /** New rows under their new seqs, rising. */
  readonly inserted?: readonly JsonObject[]
}

/** Steps in words for people, and the edits that they stand for. */
export interface Mending {
  readonly steps: readonly RepairStep[]
  readonly edits: EventEdits
}

export type EventNames = Renaming & { readonly map: SeqMap }

/** What moves with nothing but its number. */
export function moved(map: SeqMap): EventNames {
  return { ...renaming(map), map }
}

/** Every event stays where it is. */
export const NOTHING_MOVES = moved(new SeqMap([{ first: 0, end: Number.POSITIVE_INFINITY, shift: 0 }]))

/** Single events are taken out, and later ones move up. */
export function withoutEvents(seqs: readonly number[]): EventNames {
  const ranges: MovedRange[] = []
  let first = 0
  for (const [index, seq] of [...new Set(seqs)].toSorted((a, b) => a - b).entries()) {
    if (seq > first) ranges.push({ first, end: seq, shift: -index })
    first = seq + 1
  }
  return moved(new SeqMap([...ranges, { first, end: Number.POSITIVE_INFINITY, shift: -new Set(seqs).size }]))
}

/** Everything after an event is taken out. */
export function cutAfter(seq: number): EventNames {
  return moved(new SeqMap(seq < 0 ? [] : [{ first: 0, end: seq + 1, shift: 0 }]))
}
