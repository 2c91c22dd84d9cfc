/** What a comparison comes to. */
import { type FindingCode, ruleOf } from '../findings/rules.ts'

/** `unknown`: nothing differs in what could be read, but not everything could. */
export type DiffOutcome = 'same' | 'different' | 'unknown'

const EXIT_CODES: Readonly<Record<DiffOutcome, number>> = { same: 0, different: 1, unknown: 4 }

export function diffExitCode(outcome: DiffOutcome): number {
  return EXIT_CODES[outcome]
}

/** The rules of those found which say that a part of a log is not among its events, or not exactly as it is stored. */
export function unreadIn(found: Iterable<FindingCode>): readonly FindingCode[] {
  return [...found].filter((code) => ruleOf(code).unread === true).toSorted()
}
