/**
 * How somebody wants rules to be taken: another severity for a code, or a set of findings that are known already. A
 * policy changes what is reported, never what is found; a rule that could not be checked stays incomplete.
 */
import { type Finding, fingerprintOf, type Severity } from './finding.ts'
import { type FindingCode, ruleOf } from './rules.ts'

export type RuleSetting = Severity | 'off'

/** Other severities than those of the rules, and findings that are known already. */
export interface Policy {
  /** Severities that differ from the registry. */
  readonly rules: ReadonlyMap<FindingCode, RuleSetting>
  /** Fingerprints of findings that are not news. */
  readonly baseline: ReadonlySet<string>
}

export const DEFAULT_POLICY: Policy = { rules: new Map(), baseline: new Set() }

export function severityOf(code: FindingCode, policy: Policy): RuleSetting {
  return policy.rules.get(code) ?? ruleOf(code).severity
}

/** Whether the policy leaves the finding out. */
export function isLeftOut(
  finding: Finding,
  sessionId: string,
  policy: Policy,
): 'off' | 'baseline' | undefined {
  if (policy.rules.get(finding.code) === 'off') return 'off'
  if (policy.baseline.size === 0) return undefined
  return policy.baseline.has(fingerprintOf(finding, sessionId)) ? 'baseline' : undefined
}
