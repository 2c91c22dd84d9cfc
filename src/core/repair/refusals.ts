/** Why a log cannot be repaired: every finding that would still make a reader refuse it, or that hid a part of it. */
import { describe } from '../findings/describe.ts'
import type { Finding } from '../findings/finding.ts'
import type { FindingCount } from '../findings/finding-log.ts'
import { type FindingCode, ruleOf } from '../findings/rules.ts'

export interface Found {
  readonly counts: readonly FindingCount[]
  readonly findings: readonly Finding[]
}

/** Findings that keep a log shut whatever is done to the rest of it. */
export function refusals(
  { counts, findings }: Found,
  isMended: (code: FindingCode) => boolean,
): readonly string[] {
  return counts
    .filter(({ code }) => isBlocking(code) && !isMended(code))
    .map(({ code, count }) => {
      const first = findings.find((finding) => finding.code === code)
      const example = first === undefined ? ruleOf(code).title : describe(first)
      return `${code}${placeOf(first)}: ${example}${count > 1 ? ` (and ${count - 1} more)` : ''}`
    })
}

function isBlocking(code: FindingCode): boolean {
  const { refused, outcome } = ruleOf(code)
  return refused === true || outcome === 'incomplete'
}

function placeOf(finding: Finding | undefined): string {
  if (finding?.seq !== undefined) return ` at seq ${finding.seq}`
  const { line } = finding?.origin ?? {}
  return line === undefined ? '' : ` at line ${line}`
}

/** Findings that no rewriting takes away: a part that was not read, a file that is no log, or one for newer readers. */
export function isLasting(code: FindingCode): boolean {
  const { outcome, readInFull } = ruleOf(code)
  return outcome !== undefined && readInFull !== true
}

/** Whether changes of records may take the finding away. */
export function isInRecords(code: FindingCode): boolean {
  const { refused, layer, readInFull } = ruleOf(code)
  return refused === true && (layer !== 'compatibility' || readInFull === true)
}
