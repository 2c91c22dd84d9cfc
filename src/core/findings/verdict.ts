/**
 * What the findings say about a log as a whole. "Damaged", "intact but not for this reader" and "could not be
 * checked fully" are different answers with different exit codes; a renderer never decides them.
 */
import type { Layer, Severity } from './finding.ts'
import type { FindingCount } from './finding-log.ts'
import { type FindingCode, ruleOf } from './rules.ts'

export type Verdict = 'clean' | 'findings' | 'unsupported' | 'incomplete'

export type LayerState = 'ok' | Severity

export interface Judgement {
  readonly verdict: Verdict
  /** The worst severity in each layer; `info` leaves a layer ok. */
  readonly layers: Readonly<Record<Layer, LayerState>>
  readonly counts: Readonly<Record<Severity, number>>
  /** Whether the shipped readers of this format open the log. */
  readonly opens: boolean
  readonly exitCode: 0 | 1 | 3 | 4
}

export type FailOn = Severity | 'never'

const RANK: Record<Severity | 'ok', number> = { ok: 0, info: 0, warning: 1, error: 2 }
const THRESHOLD: Record<FailOn, number> = { info: 0, warning: 1, error: 2, never: 3 }

/**
 * @param found - every broken rule, also those whose findings a policy leaves out: what DSH does with a log, and whether
 * it could be checked at all, no policy can change.
 */
export function judge(
  findings: readonly FindingCount[],
  failOn: FailOn = 'error',
  found: Iterable<FindingCode> = findings.map(({ code }) => code),
): Judgement {
  const layers: Record<Layer, LayerState> = { bytes: 'ok', order: 'ok', meaning: 'ok', compatibility: 'ok' }
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 }
  let opens = true
  let failed = false
  const outcomes = new Set<string>()
  for (const code of found) {
    const rule = ruleOf(code)
    if (rule.refused === true) opens = false
    if (rule.outcome !== undefined && rule.outcome !== 'unsupported') outcomes.add(rule.outcome)
  }
  for (const { code, severity, count } of findings) {
    const rule = ruleOf(code)
    counts[severity] += count
    if (RANK[severity] > RANK[layers[rule.layer]]) layers[rule.layer] = severity
    if (rule.outcome === 'unsupported') outcomes.add(rule.outcome)
    if (rule.outcome !== 'not-a-log' && RANK_OF[severity] >= THRESHOLD[failOn]) failed = true
  }
  return {
    verdict: verdictOf(counts, outcomes),
    layers,
    counts,
    opens,
    exitCode: exitCodeOf(failed, outcomes),
  }
}

const RANK_OF: Record<Severity, number> = { info: 0, warning: 1, error: 2 }

function verdictOf(counts: Readonly<Record<Severity, number>>, outcomes: ReadonlySet<string>): Verdict {
  if (counts.error > 0) return 'findings'
  if (outcomes.has('incomplete')) return 'incomplete'
  if (outcomes.has('unsupported')) return 'unsupported'
  return counts.warning > 0 ? 'findings' : 'clean'
}

function exitCodeOf(failed: boolean, outcomes: ReadonlySet<string>): Judgement['exitCode'] {
  if (outcomes.has('not-a-log')) return 3
  if (failed) return 1
  return outcomes.has('incomplete') || outcomes.has('unsupported') ? 4 : 0
}
