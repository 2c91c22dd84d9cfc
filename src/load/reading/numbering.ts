/**
 * The numbers of a log: which seq comes next, and what a row with another one means. Rows that repeat taken seqs are
 * gathered into one finding, because one clash can be thousands of rows.
 */
import type { Finding, FindingOf, FindingSink } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'
import { isCount, type JsonValue } from '../../core/json/json-value.ts'

/** Rows that use seqs taken before, one after the other. */
export interface Repetition {
  readonly first: number
  last: number
  rows: number
  /** Seq that was expected in their place. */
  readonly expected: number
  readonly origin: Origin
  readonly firstLine: number
  lastLine: number
}

/** Gaps that are remembered, to say later that they are none. */
const MOST_GAPS = 1000

export type GapFinding = FindingOf<'order/seq-gap'>

export class Numbering {
  expected = 0
  readonly gaps: GapFinding[] = []
  /** The latest damage while no good row has followed: the cause of a gap right after it. */
  damage: Finding | undefined
  #unread = false
  #repetition: Repetition | undefined
  readonly #report: FindingSink

  constructor(report: FindingSink) {
    this.#report = report
  }

  /** Whether rows from `seq` on are due and nothing waits to be settled by them. */
  isSteadyAt(seq: number): boolean {
    return (
      seq === this.expected && !this.#unread && this.#repetition === undefined && this.damage === undefined
    )
  }

  /** A record was passed over unread, so the next one may have any later seq. */
  passOver(finding: Finding): void {
    this.damage = finding
    this.#unread = true
  }

  /** Takes rows that fit. @returns the repetition that ends with them. */
  take(rows: number): Repetition | undefined {
    this.expected += rows
    this.damage = undefined
    this.#unread = false
    return this.endRepetition()
  }

  endRepetition(): Repetition | undefined {
    const repetition = this.#repetition
    this.#repetition = undefined
    return repetition
  }

  /** Whether rows that begin with `got` fit, also after a record that was not read. */
  fits(got: JsonValue | undefined): boolean {
    if (got === this.expected) return true
    if (!this.#unread || !isCount(got) || got < this.expected) return false
    this.expected = got
    return true
  }

  /** Goes over a gap, which is a finding. */
  jumpTo(got: number, origin: Origin): void {
    const { expected, damage } = this
    const args = { expected, got, missing: got - expected }
    const gap: GapFinding = {
      code: 'order/seq-gap',
      origin,
      seq: got,
      args,
      ...(damage && { causedBy: damage }),
    }
    this.#report(gap)
    if (this.gaps.length < MOST_GAPS) this.gaps.push(gap)
    this.expected = got
  }

  /** Notes rows whose seqs were taken before. @returns an earlier repetition that they do not continue. */
  repeat(got: number, rows: number, line: number, origin: Origin): Repetition | undefined {
    const last = got + rows - 1
    const running = this.#repetition
    if (running !== undefined && got === running.last + 1) {
      running.last = last
      running.rows += rows
      running.lastLine = line
      return undefined
    }
    this.#repetition = {
      first: got,
      last,
      rows,
      expected: this.expected,
      origin,
      firstLine: line,
      lastLine: line,
    }
    return running
  }
}

/** A seq as it is shown when it is not one. */
export function shownSeq(got: JsonValue | undefined): number | string {
  if (isCount(got)) return got
  if (typeof got === 'string') return `the string "${got}"`
  return got === undefined ? 'none' : typeof got === 'object' ? 'a compound value' : String(got)
}
