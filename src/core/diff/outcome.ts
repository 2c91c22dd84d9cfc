/** What a comparison comes to. */
import type { FindingCode } from '../findings/rules.ts'

/** `unknown`: nothing differs in what could be read, but not everything could. */
export type DiffOutcome = 'same' | 'different' | 'unknown'

const EXIT_CODES: Readonly<Record<DiffOutcome, number>> = { same: 0, different: 1, unknown: 4 }

export function diffExitCode(outcome: DiffOutcome): number {
  return EXIT_CODES[outcome]
}

/** Findings that say that a part of a log is not among its events, or not exactly as it is stored. */
const UNREAD: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'bytes/torn-tail',
  'bytes/bad-line',
  'bytes/bad-tail-line',
  'bytes/spliced-line',
  'bytes/split-line',
  'bytes/line-too-long',
  'bytes/changed-while-reading',
  'bytes/invalid-utf8',
  'bytes/torn-frame',
  'bytes/corrupt-frame',
  'bytes/frame-structure',
  'bytes/frame-too-large',
  'bytes/duplicate-member',
  'bytes/number-changed',
  'envelope/invalid',
  'database/damaged',
  'database/schema',
  'header/missing',
  'header/repeated',
  'format/newer',
  'format/older',
  'order/seq-repeated',
  'order/seq-invalid',
  'order/tail-break',
  'order/rows-dropped',
])

/** @param found - the rules that a log breaks. */
export function unreadIn(found: Iterable<FindingCode>): readonly FindingCode[] {
  return [...found].filter((code) => UNREAD.has(code)).toSorted()
}
