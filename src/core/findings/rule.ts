/**
 * What a rule says of itself, and how the rules of a family are declared: members that the family shares are given
 * once, and the evidence of each rule has kinds, from which both the arguments of its findings and those of its wording
 * get their types.
 */
import type { JsonValue } from '../json/json-value.ts'

/** `error`: will not open, or loses something, or misleads the model. `warning`: mends itself, or is refused elsewhere. */
export type Severity = 'error' | 'warning' | 'info'

/** Which question about the log the rule answers. */
export type Layer = 'bytes' | 'order' | 'meaning' | 'compatibility'

/** What a check passes for each kind of evidence, and what the wording is given for it. */
interface Evidence {
  /** How many of something. */
  count: { passed: number; worded: number }
  /** A number that counts nothing: a turn, a step, a format, a size. */
  number: { passed: number; worded: number }
  /** The place of an event. */
  seq: { passed: number; worded: number }
  seqs: { passed: readonly number[]; worded: string }
  /** Words of our own. */
  text: { passed: string; worded: string }
  /** What something is called in the log or in the store. It is part of the identity of a finding. */
  name: { passed: string; worded: string }
  /** Whatever the log holds at a place; undefined when it holds nothing there. */
  value: { passed: JsonValue | undefined; worded: string }
  flag: { passed: boolean; worded: boolean }
}

export type EvidenceKind = keyof Evidence

/** Words by name: a check passes the name, and the wording is given the words. */
export type WordTable = Readonly<Record<string, string>>

/** A kind, a kind that may be absent, a list of words to choose from, or a table of words. */
type Kind = EvidenceKind | `${EvidenceKind}?` | readonly string[] | WordTable

export type EvidenceKinds = Readonly<Record<string, Kind>>

type EvidenceAs<K extends EvidenceKind, Side extends 'passed' | 'worded'> = Evidence[K][Side]

type As<K extends Kind, Side extends 'passed' | 'worded'> = K extends readonly (infer Word)[]
  ? Word
  : K extends `${infer Base extends EvidenceKind}?`
    ? EvidenceAs<Base, Side> | (Side extends 'passed' ? null : never) | undefined
    : K extends EvidenceKind
      ? EvidenceAs<K, Side>
      : K extends WordTable
        ? Side extends 'passed'
          ? keyof K
          : string
        : never

type Omissible<Kinds> = {
  [Key in keyof Kinds]: Kinds[Key] extends `${string}?` | 'value' ? Key : never
}[keyof Kinds]

/** The arguments of a finding. */
export type Passed<Kinds extends EvidenceKinds> = {
  readonly [Key in Exclude<keyof Kinds, Omissible<Kinds>>]: As<Kinds[Key], 'passed'>
} & { readonly [Key in Omissible<Kinds>]?: As<Kinds[Key], 'passed'> }

/** The same, ready to be in a sentence: shortened, and what is absent undefined. */
export type Worded<Kinds extends EvidenceKinds> = {
  readonly [Key in keyof Kinds]: As<Kinds[Key], 'worded'>
}

/** What a repair can do about a finding; `core/repair/repair-step.ts` has what each needs to be told. */
export type AnsweringKind =
  | 'write-container'
  | 'write-lines'
  | 'remove-byte-order-mark'
  | 'add-header'
  | 'mend-header'
  | 'mend-lines'
  | 'mend-rows'
  | 'mend-surface'
  | 'cut-tail'
  | 'rewrite-frames'
  | 'salvage-database'
  | 'drop-rows'
  | 'drop-branch'
  | 'sort-rows'
  | 'move-rows'
  | 'close-gap'
  | 'fill-gap'
  | 'insert-brackets'
  | 'set-identities'
  | 'mark-ignorable'
  | 'fit-inbox'
  | 'mend-relations'
  | 'note-results'
  | 'insert-results'
  | 'close-turn'
  | 'note-exchanges'

export interface RuleFacts {
  readonly severity: Severity
  readonly layer: Layer
  readonly title: string
  /** What DSH or the model provider does with such a log. */
  readonly why: string
  /** What to do now. */
  readonly fix: string
  /** Whether the finding is gone after a repair; where only sometimes, `fix` says when. */
  readonly repairable: boolean
  /** The steps of a repair that answer it. */
  readonly repairs?: readonly AnsweringKind[]
  /** DSH itself mends it, without a loss of its own, when the session is resumed. */
  readonly mendedOnResume?: true
  /** The shipped readers of this format refuse to open the log. */
  readonly refused?: true
  /** What later releases have against the log, which its own opens. */
  readonly upgrade?: true
  /** What the log is, when it is not simply damaged. */
  readonly outcome?: 'unsupported' | 'incomplete' | 'not-a-log'
  /** Refused, but every event of it can be read, and so repaired. */
  readonly readInFull?: true
  /**
   * Later events can settle it: a log may raise it and the same log, gone on, may not. What is open, cut off or waiting
   * at the end of a log is of this kind, and so is what a later event explains in another way.
   */
  readonly settledLater?: true
  /**
   * A record that was not read may be what it misses: in the same `turn`, or, where a message is not on the surface or
   * in the inbox, `ever` after. There it would be a guess.
   */
  readonly guessAfterLoss?: 'turn' | 'ever'
  /** Readers of its own format take it; a migration to a later one refuses the log. */
  readonly refusedByMigration?: true
  /** Builds before 0.1.2 refuse the log. */
  readonly refusedBefore012?: true
  /** A part of the log is not among its events, or not exactly as it is stored. */
  readonly unread?: true
  /** The last write was cut off; the rest is whole. */
  readonly cutOff?: true
  /** The value is another one once the record is written anew. */
  readonly lostInRewriting?: true
  /** Judged although nothing is known of the format of the log. */
  readonly anyFormat?: true
  /** A relation between events that readers of format 4 enforce. */
  readonly relation?: true
  /** Broken by an event that, unless the log tells what it should say, belongs to nothing in the log. */
  readonly unrelated?: true
  /** The provider refuses the next request of the session; where it is a warning, some providers do. */
  readonly refusedByProvider?: true
  /** DSH shows the log and cannot go on with the session. */
  readonly stopsResume?: true
  /** It concerns several events and names the first. */
  readonly ofManyEvents?: true
  /** It concerns one row, which the readers of later releases judge for themselves. */
  readonly ofOneRow?: true
  /** Found only when it is asked for, with a profile. */
  readonly lint?: true
  /** How it comes about, when no file at rest can show it. Every other rule has an example. */
  readonly noExample?: string
  /** Section of the format description or of the specification the rule comes from. */
  readonly source: string
}

/** What is known of a rule, and the sentence for its findings. */
export interface Rule<Kinds extends EvidenceKinds = EvidenceKinds> extends RuleFacts {
  readonly args: Kinds
  /** The sentence for one finding. */
  message(args: Worded<Kinds>): string
}

type RuleEntry<Shared, Kinds extends EvidenceKinds> = Omit<RuleFacts, keyof Shared> &
  Partial<RuleFacts> & { readonly args: Kinds; readonly message: (args: Worded<Kinds>) => string }

/** Rules that have members in common. A rule may say otherwise. */
export function family<
  const Shared extends Partial<RuleFacts>,
  const Kinds extends Record<string, EvidenceKinds>,
>(
  shared: Shared,
  rows: { readonly [Code in keyof Kinds]: RuleEntry<Shared, Kinds[Code]> },
): { readonly [Code in keyof Kinds]: Rule<Kinds[Code]> } {
  const rules: Record<string, object> = {}
  for (const code in rows) rules[code] = { ...shared, ...rows[code] }
  return rules as { readonly [Code in keyof Kinds]: Rule<Kinds[Code]> }
}

/** The title and the sentence of a condition that two rules have, because formats treat it differently. */
export function wording<const Kinds extends EvidenceKinds>(
  row: Pick<RuleFacts, 'title'> & { readonly args: Kinds; readonly message: (args: Worded<Kinds>) => string },
): typeof row {
  return row
}
