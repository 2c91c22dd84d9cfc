/** One difference between two logs, at one of the levels at which they are compared. */

import { type FindingCode, ruleOf } from '../findings/rules.ts'
import type { MemberChange } from './member-changes.ts'

/** `bytes`: which records are stored; `log`: which events they hold; `surface`: what the model is sent. */
export type DiffLevel = 'bytes' | 'log' | 'surface'

export const DIFF_LEVELS: readonly DiffLevel[] = ['bytes', 'log', 'surface']

export interface Change {
  readonly level: DiffLevel
  /**
   * `added` and `removed`: only in the second, only in the first log. `changed`: the same event or message says something
   * else. `renumbered`: the same events under other seqs, their order kept. `moved`: the same elsewhere.
   */
  readonly change: 'added' | 'removed' | 'changed' | 'renumbered' | 'moved'
  /** Records, events or messages that follow one another. */
  readonly count: number
  /** Where they are in the first log; absent when they are not there. */
  readonly a?: ChangePlace
  readonly b?: ChangePlace
  /** Number of events by type; of the role of a message; at most {@link MOST_KINDS} of them. `header` for the header. */
  readonly kinds?: Readonly<Record<string, number>>
  /** What a message says, shortened. */
  readonly says?: string
  /** Members that differ, of the first changed events and of changed messages. */
  readonly members?: readonly MemberChange[]
  /** More members differ than are listed. */
  readonly more?: true
}

export interface ChangePlace {
  /** Seqs of the first and the last of them. */
  readonly first?: number
  readonly last?: number
  /** Places of the first and the last record. */
  readonly line?: number
  readonly lastLine?: number
  readonly byteOffset?: number
  /** From the beginning of the first record to the end of the last, in a file of lines. */
  readonly byteLength?: number
  readonly frame?: number
  readonly row?: number
  /** Position on the surface, from 0. */
  readonly position?: number
}

const MOST_KINDS = 20

export function countKind(kinds: Record<string, number>, kind: string): void {
  const known = Object.hasOwn(kinds, kind)
  if (known || Object.keys(kinds).length < MOST_KINDS) kinds[kind] = (known ? (kinds[kind] as number) : 0) + 1
}

/** `unknown`: nothing differs in what could be read, but not everything could. */
export type DiffOutcome = 'same' | 'different' | 'unknown'

const EXIT_CODES: Readonly<Record<DiffOutcome, number>> = { same: 0, different: 1, unknown: 4 }

/** What a comparison comes to. */
export function diffExitCode(outcome: DiffOutcome): number {
  return EXIT_CODES[outcome]
}

/** The rules of those found which say that a part of a log is not among its events, or not exactly as it is stored. */
export function unreadIn(found: Iterable<FindingCode>): readonly FindingCode[] {
  return [...found].filter((code) => ruleOf(code).unread === true).toSorted()
}
