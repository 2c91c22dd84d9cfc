/**
 * What the findings say about a log as a whole. "Damaged", "intact, but DSH cannot open it" and "could not be
 * checked fully" are different answers with different exit codes; a renderer never decides them.
 */
import type { Layer, Severity } from './finding.ts'
import type { FindingCount } from './finding-log.ts'
import { type FindingCode, ruleOf } from './rules.ts'

/**
 * `refused-by-newer`: nothing is wrong with the log, and newer releases refuse it all the same. `left-out`: nothing but
 * what the baseline or the settings leave out.
 */
export type Verdict = 'clean' | 'left-out' | 'findings' | 'unsupported' | 'incomplete' | 'refused-by-newer'

/** `unchecked`: there is nothing that could be judged. */
export type LayerState = 'ok' | Severity | 'unchecked'

/** What people ask of a session, in releases of its own format; `unknown` where not everything was read. */
export interface Answers {
  readonly opens: Answer
  /** DSH can go on with it. */
  readonly resumes: Answer
  /** The provider takes the next request; of some providers `unknown` is all that can be said. */
  readonly nextRequest: Answer
}

export type Answer = 'yes' | 'no' | 'unknown'

/** What the findings of a log come to. */
export interface Judgement {
  readonly verdict: Verdict
  /** The worst severity in each layer; `info` leaves a layer ok. */
  readonly layers: Readonly<Record<Layer, LayerState>>
  readonly counts: Readonly<Record<Severity, number>>
  /** Whether the shipped readers of this format open the log. */
  readonly opens: boolean
  readonly answers: Answers
  readonly exitCode: 0 | 1 | 3 | 4
}

/** The severity from which on a log fails. */
export type FailOn = Severity | 'never'

const RANK: Record<LayerState, number> = { unchecked: 0, ok: 0, info: 0, warning: 1, error: 2 }
const THRESHOLD: Record<FailOn, number> = { info: 0, warning: 1, error: 2, never: 3 }

/**
 * What findings come to.
 *
 * @param found - every broken rule, also those whose findings a policy leaves out: what DSH does with a log, and whether
 * it could be checked at all, no policy can change.
 * @param isOpened - whether the release that was asked for opens the log, in place of those of its own format.
 */
export function judge(
  findings: readonly FindingCount[],
  failOn: FailOn = 'error',
  found: Iterable<FindingCode> = findings.map(({ code }) => code),
  isOpened?: boolean,
): Judgement {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 }
  let opens = true
  let failed = false
  let leftOut = false
  const reported = new Set(findings.map(({ code }) => code))
  const outcomes = new Set<string>()
  for (const code of found) {
    const rule = ruleOf(code)
    if (rule.refused === true) opens = false
    if (rule.outcome !== undefined && rule.outcome !== 'unsupported') outcomes.add(rule.outcome)
    if (rule.severity !== 'info' && !reported.has(code)) leftOut = true
  }
  const unread = outcomes.has('not-a-log') ? 'unchecked' : 'ok'
  const layers: Record<Layer, LayerState> = {
    bytes: 'ok',
    order: unread,
    meaning: unread,
    compatibility: unread,
  }
  let ownWarnings = 0
  for (const { code, severity, count } of findings) {
    const rule = ruleOf(code)
    counts[severity] += count
    if (severity === 'warning' && rule.upgrade !== true) ownWarnings += count
    if (RANK[severity] > RANK[layers[rule.layer]]) layers[rule.layer] = severity
    if (rule.outcome === 'unsupported' && isOpened === undefined) outcomes.add(rule.outcome)
    if (rule.outcome !== 'not-a-log' && RANK_OF[severity] >= THRESHOLD[failOn]) failed = true
  }
  return {
    verdict: verdictOf(counts, ownWarnings, outcomes, leftOut),
    layers,
    counts,
    opens,
    answers: answersOf(isOpened ?? opens, findings, outcomes),
    exitCode: exitCodeOf(failed, outcomes),
  }
}

function answersOf(
  opens: boolean,
  findings: readonly FindingCount[],
  outcomes: ReadonlySet<string>,
): Answers {
  const isRead = !outcomes.has('incomplete')
  const unlessNo = (isNo: boolean): Answer => (isNo ? 'no' : isRead ? 'yes' : 'unknown')
  const refusing = findings.filter(({ code }) => ruleOf(code).refusedByProvider === true)
  const isRefused = !opens || refusing.some(({ code }) => ruleOf(code).severity === 'error')
  return {
    opens: unlessNo(!opens),
    resumes: unlessNo(!opens || findings.some(({ code }) => ruleOf(code).stopsResume === true)),
    nextRequest: !isRefused && refusing.length > 0 ? 'unknown' : unlessNo(isRefused),
  }
}

const RANK_OF: Record<Severity, number> = { info: 0, warning: 1, error: 2 }

function verdictOf(
  counts: Readonly<Record<Severity, number>>,
  ownWarnings: number,
  outcomes: ReadonlySet<string>,
  leftOut: boolean,
): Verdict {
  if (counts.error > 0) return 'findings'
  if (outcomes.has('incomplete')) return 'incomplete'
  if (outcomes.has('unsupported')) return 'unsupported'
  if (ownWarnings > 0) return 'findings'
  if (counts.warning > 0) return 'refused-by-newer'
  return leftOut ? 'left-out' : 'clean'
}

function exitCodeOf(failed: boolean, outcomes: ReadonlySet<string>): Judgement['exitCode'] {
  if (outcomes.has('not-a-log')) return 3
  if (failed) return 1
  return outcomes.has('incomplete') || outcomes.has('unsupported') ? 4 : 0
}
