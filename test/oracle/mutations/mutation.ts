/**
 * A mutation breaks one rule of a valid random log, or comes close to breaking one. It says what both sides must
 * make of it, so that a mutation that stops breaking its rule is noticed.
 */
import type { FindingCode } from '../../../src/core/findings/rules.ts'
import { type DraftLog, nextSeq, type Row } from '../draft-log.ts'
import type { Random } from '../random.ts'
import type { LogWish } from '../random-log.ts'

export type Expected =
  | 'opens'
  /** Nobody knows beforehand; the two sides must agree all the same. */
  | 'either'
  /** DSH's words for the refusal, and the finding that resurface gives for the same reason if it has one of its own. */
  | { readonly refusal: RegExp; readonly code?: FindingCode }

export interface Mutation {
  readonly name: string
  readonly expected: Expected
  readonly wish?: LogWish
  /** Number of logs to make; a few when absent. */
  readonly logs?: number
  /** Changes the draft. Says `false` when the log has nothing to break. */
  readonly apply: (draft: DraftLog, random: Random) => boolean
}

/** Changes one plain event of one of the types. */
export function edit(
  name: string,
  types: readonly string[],
  expected: Expected,
  change: (row: Row, random: Random) => void,
): Mutation {
  return {
    name,
    expected,
    apply(draft, random) {
      const rows = rowsOf(draft, types)
      if (rows.length === 0) return false
      change(random.pick(rows), random)
      return true
    },
  }
}

/** Puts one event after the last one. */
export function add(
  name: string,
  expected: Expected,
  make: (draft: DraftLog, random: Random) => Row | undefined,
): Mutation {
  return {
    name,
    expected,
    apply(draft, random) {
      const row = make(draft, random)
      if (row === undefined) return false
      push(draft, row)
      return true
    },
  }
}

/** Appends an event with the next seq, at the time of nothing in particular. */
export function push(draft: DraftLog, { type, data, ...marks }: Row): void {
  draft.rows.push({ type, seq: nextSeq(draft), time: 7, data, ...marks })
}

export function rowsOf(draft: DraftLog, types?: readonly string[]): Row[] {
  return draft.rows.filter(
    (row): row is Row =>
      typeof row !== 'string' && typeof row.seq === 'number' && (types?.includes(row.type as string) ?? true),
  )
}

/** Position of the last stored `turn/end`, or -1. */
export function lastTurnEnd(draft: DraftLog): number {
  return draft.rows.findLastIndex((row) => typeof row !== 'string' && row.type === 'turn/end')
}

export const SURFACE_TYPES = ['user/message', 'assistant/message', 'tool/result']

export function user(id = 'added'): Row {
  return { id, role: 'user', content: [{ type: 'text', text: 'added' }], source: { kind: 'user' } }
}

/** The message of an event, wherever its type keeps it. */
export function messageIn(row: Row): Row {
  const data = row.data as Row
  return (row.type === 'user/message' ? data : data.message) as Row
}
