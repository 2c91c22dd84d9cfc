/** One thing that a repair does, as data: its kind, what it needs to be told in words, and the places it is about. */
import type { AnsweringKind } from '../findings/rule.ts'
import type { FindingCode } from '../findings/rules.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { ClashKind } from './arrange-runs.ts'
import type { RowMend } from './row-mend.ts'
import type { RowPatch } from './row-patch.ts'
import type { FamilyName } from './upgrade-families.ts'

/** What each kind of step is told with; its words are in `report/views/repair-words.ts`. */
export interface StepArgs extends Readonly<Record<AnsweringKind, object>> {
  readonly 'write-lines': Empty
  readonly 'write-container': Empty
  readonly 'remove-byte-order-mark': Empty
  readonly 'add-header': { readonly header: JsonObject; readonly from: HeaderSources }
  readonly 'mend-header': { readonly fields: readonly string[]; readonly header: JsonObject }
  readonly 'mend-lines': Empty
  readonly 'mend-rows': { readonly mend: RowMend }
  readonly 'mend-surface': Empty
  readonly 'cut-tail': {
    readonly bytes: number
    readonly byteOffset?: number
    /** Whether records of the torn part could be read. */
    readonly keepsRecords: boolean
  }
  readonly 'rewrite-frames': Empty
  readonly 'salvage-database': Empty
  readonly 'drop-rows': { readonly why: ClashKind | 'unnumbered' | 'unplaced' | 'unrelated' | 'unreadable' }
  readonly 'drop-branch': { readonly why: ClashKind }
  /** Rows that come in the order of their numbers again. */
  readonly 'sort-rows': Empty
  readonly 'move-rows': { readonly seq: number }
  readonly 'close-gap': { readonly first: number; readonly last: number }
  /** What the events around a gap prove to have been in it. */
  readonly 'fill-gap': { readonly first: number; readonly last: number; readonly types: readonly string[] }
  readonly 'insert-brackets': { readonly types: readonly string[] }
  /** Events that were asked to be taken out, or that DSH leaves out as well. */
  readonly 'drop-events': { readonly dropsAsDsh: boolean }
  /** Messages that wait are taken out of the inbox. */
  readonly 'cancel-waiting': Empty
  readonly truncate: { readonly after: number }
  readonly 'set-identities': {
    readonly patch: RowPatch['kind']
    /** What calls are given. */
    readonly members?: readonly string[]
  }
  readonly 'mark-ignorable': Empty
  readonly 'fit-inbox': Empty
  /** What the rest of the log tells of an event: the members that it says otherwise. */
  readonly 'mend-relations': { readonly members: readonly string[] }
  /** Results whose calls are lost, kept as text where they were. */
  readonly 'note-results': Empty
  readonly 'insert-results': Empty
  readonly 'close-turn': Empty
  readonly 'note-exchanges': Empty
  /** Something that newer releases refuse. */
  readonly upgrade: { readonly family: FamilyName }
}

/**
 * What a member of a header comes from: what can be read of its line, the folders that the log lies in, the name of the
 * file, the events, another session of the store, or what is usual.
 */
export type HeaderSources = Readonly<Record<string, 'line' | 'place' | 'file' | 'events' | 'like' | 'usual'>>

type Empty = Readonly<Record<never, never>>

export type RepairKind = keyof StepArgs

export type RepairStep = { readonly [Kind in RepairKind]: StepOf<Kind> }[RepairKind]

interface StepOf<Kind extends RepairKind> {
  readonly kind: Kind
  readonly args: StepArgs[Kind]
  /** The rule that the step answers; absent for what was asked for and answers none. */
  readonly finding?: FindingCode
  /** Lines of the file that the step is about, the first ones of them. */
  readonly lines?: readonly number[]
  /** Seqs that the step is about, the first ones of them, as they were before it. */
  readonly seqs?: readonly number[]
  /** How many lines or events it is about. */
  readonly count: number
}

/** Most places that a step names. */
const MOST_NAMED = 20

export interface StepPlaces {
  readonly finding?: FindingCode
  readonly lines?: readonly number[]
  readonly seqs?: readonly number[]
  readonly count?: number
}

export function step<Kind extends RepairKind>(
  kind: Kind,
  args: StepArgs[Kind],
  { finding, lines, seqs, count }: StepPlaces,
): RepairStep {
  return {
    kind,
    args,
    ...(finding !== undefined && { finding }),
    ...(lines !== undefined && { lines: lines.slice(0, MOST_NAMED) }),
    ...(seqs !== undefined && { seqs: seqs.slice(0, MOST_NAMED) }),
    count: count ?? lines?.length ?? seqs?.length ?? 1,
  } as RepairStep
}
