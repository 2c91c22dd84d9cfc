/** One difference between two logs, at one of the levels at which they are compared. */
import { type FindingCode, ruleOf } from '../findings/rules.ts'
import {
  constant,
  listOf,
  mapOf,
  oneOf,
  record,
  referencesTo,
  type Schema,
  type Static,
  text,
  whole,
} from '../json/json-schema.ts'
import { MEMBER_CHANGE } from './member-changes.ts'

/** `bytes`: which records are stored; `log`: which events they hold; `surface`: what the model is sent. */
export type DiffLevel = 'bytes' | 'log' | 'surface'

export const DIFF_LEVELS: readonly DiffLevel[] = ['bytes', 'log', 'surface']

const changePlace = record(
  {},
  {
    first: { ...whole, description: 'seq of the first event or message' },
    last: { ...whole, description: 'seq of the last one' },
    /** Places of the first and the last record. */
    line: whole,
    lastLine: whole,
    byteOffset: whole,
    /** From the beginning of the first record to the end of the last, in a file of lines. */
    byteLength: whole,
    frame: whole,
    row: whole,
    position: { ...whole, description: 'position on the surface, from 0' },
  },
)

export const CHANGE = record(
  {
    level: referencesTo<{ diffLevel: Schema<DiffLevel> }>()('diffLevel'),
    /**
     * `added` and `removed`: only in the second, only in the first log. `changed`: the same event or message says something
     * else. `renumbered`: the same events under other seqs, their order kept. `moved`: the same elsewhere.
     */
    change: oneOf('added', 'removed', 'changed', 'renumbered', 'moved'),
    count: { ...whole, description: 'records, events or messages that follow one another' },
  },
  {
    a: { ...changePlace, description: 'where they are in the first log' },
    b: { ...changePlace, description: 'where they are in the second log' },
    /** Number of events by type; of the role of a message; at most {@link MOST_KINDS} of them. `header` for the header. */
    kinds: mapOf(whole),
    /** What a message says, shortened. */
    says: text,
    /** Members that differ, of the first changed events and of changed messages. */
    members: listOf(MEMBER_CHANGE),
    /** More members differ than are listed. */
    more: constant(true),
  },
)

export type Change = Static<typeof CHANGE>
export type ChangePlace = Static<typeof changePlace>

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
