/** One thing that a repair does, with its reason and the finding it answers: what a plan consists of. */
import type { FindingCode } from '../findings/rules.ts'

export type RepairKind =
  | 'remove-byte-order-mark'
  | 'add-header'
  | 'mend-lines'
  | 'cut-tail'
  | 'rewrite-frames'
  | 'salvage-database'
  | 'drop-rows'
  | 'drop-branch'
  | 'move-rows'
  | 'close-gap'
  | 'truncate'
  | 'set-identities'
  | 'mark-ignorable'
  | 'fit-inbox'
  | 'insert-results'
  | 'close-turn'
  | 'note-exchanges'

export interface RepairStep {
  readonly kind: RepairKind
  /** What is done, in words. */
  readonly what: string
  readonly reason: string
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

export function step(
  kind: RepairKind,
  what: string,
  reason: string,
  places: {
    readonly finding?: FindingCode
    readonly lines?: readonly number[]
    readonly seqs?: readonly number[]
    readonly count?: number
  },
): RepairStep {
  const { finding, lines, seqs } = places
  return {
    kind,
    what,
    reason,
    ...(finding !== undefined && { finding }),
    ...(lines !== undefined && { lines: lines.slice(0, MOST_NAMED) }),
    ...(seqs !== undefined && { seqs: seqs.slice(0, MOST_NAMED) }),
    count: places.count ?? lines?.length ?? seqs?.length ?? 1,
  }
}
