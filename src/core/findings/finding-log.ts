/**
 * Collects the findings of one log in bounded memory: every one is counted, the first of each code are kept, and a
 * flood of one rule does not push out the only finding of another. Consequences are kept under their cause.
 */
import type { Finding, FindingSink, Severity } from './finding.ts'
import { DEFAULT_POLICY, isLeftOut, type Policy, severityOf } from './policy.ts'
import { type FindingCode, ruleOf } from './rules.ts'

export interface FindingCount {
  readonly code: FindingCode
  readonly severity: Severity
  readonly count: number
}

const DEFAULT_KEPT_PER_CODE = 1000
const MOST_REFUSED = 100_000

/** The findings of one log: all counted, the first thousand of each rule kept. */
export class FindingLog {
  readonly #kept: Finding[] = []
  /** How often each rule was broken, also where the policy leaves the finding out. */
  readonly #found = new Map<FindingCode, number>()
  readonly #counts = new Map<FindingCode, number>()
  readonly #raised = new Set<FindingCode>()
  readonly #lowered = new Set<FindingCode>()
  /** Seqs and lines of what the readers of the log's own format refuse. */
  readonly #refused = { seqs: new Set<number>(), lines: new Set<number>() }
  readonly #told: Finding[] = []
  readonly #keptPerCode: number
  readonly #policy: Policy
  /** Session whose findings these are; fingerprints are made with it. */
  sessionId = ''
  /** Findings that the baseline knows. */
  known = 0
  /** Findings that were told and taken back. */
  withdrawn = 0
  /** Is told of every finding that counts, in the order in which they are made. */
  onFinding: FindingSink | undefined

  constructor(policy: Policy = DEFAULT_POLICY, keptPerCode: number = DEFAULT_KEPT_PER_CODE) {
    this.#policy = policy
    this.#keptPerCode = keptPerCode
  }

  readonly add = (finding: Finding): void => {
    if (finding.instead !== undefined) this.withdraw(finding.instead)
    this.#found.set(finding.code, (this.#found.get(finding.code) ?? 0) + 1)
    if (ruleOf(finding.code).refused === true) this.#note(finding)
    if (finding.told !== undefined && this.#told.length < MOST_REFUSED) this.#told.push(finding)
    const reason = isLeftOut(finding, this.sessionId, this.#policy)
    if (reason === 'baseline') this.known++
    if (reason !== undefined) return
    const count = this.#counts.get(finding.code) ?? 0
    this.#counts.set(finding.code, count + 1)
    if (count < this.#keptPerCode) this.#kept.push(finding)
    this.onFinding?.(finding)
  }

  /** Takes back a finding that more of the log has shown to be wrong. */
  withdraw(finding: Finding): void {
    const { code } = finding
    decrease(this.#found, code)
    const reason = isLeftOut(finding, this.sessionId, this.#policy)
    if (reason === 'baseline') this.known--
    if (reason !== undefined) return
    this.withdrawn++
    decrease(this.#counts, code)
    const index = this.#kept.indexOf(finding)
    if (index !== -1) this.#kept.splice(index, 1)
  }

  /** The kept findings in the order of the file. */
  findings(): readonly Finding[] {
    return this.#kept.toSorted((a, b) => position(a) - position(b) || (a.seq ?? -1) - (b.seq ?? -1))
  }

  /** Findings of which the rest of the log tells what would be right. */
  get told(): readonly Finding[] {
    return this.#told
  }

  #note({ seq, origin: { line } }: Finding): void {
    const { seqs, lines } = this.#refused
    if (seq !== undefined && seqs.size < MOST_REFUSED) seqs.add(seq)
    if (line !== undefined && lines.size < MOST_REFUSED) lines.add(line)
  }

  /** Whether the readers of the log's own format refuse what is there, also where the policy leaves that out. */
  refusesAt({
    seq,
    line,
  }: {
    readonly seq?: number | undefined
    readonly line?: number | undefined
  }): boolean {
    const { seqs, lines } = this.#refused
    return (seq !== undefined && seqs.has(seq)) || (line !== undefined && lines.has(line))
  }

  /** Takes findings of the rule for errors. */
  raise(code: FindingCode): void {
    this.#raised.add(code)
  }

  /** Takes findings of the rule for notes, unless a severity was asked for. */
  lower(code: FindingCode): void {
    if (!this.#policy.rules.has(code)) this.#lowered.add(code)
  }

  /** Counts findings that nobody has kept. */
  count(code: FindingCode, more: number): void {
    const count = this.#counts.get(code)
    if (count !== undefined) this.#counts.set(code, count + more)
  }

  severityOf(code: FindingCode): Severity {
    if (this.#raised.has(code)) return 'error'
    if (this.#lowered.has(code)) return 'info'
    const severity = severityOf(code, this.#policy)
    return severity === 'off' ? 'info' : severity
  }

  /** Every rule that was broken, also where the policy leaves the finding out. */
  found(): ReadonlySet<FindingCode> {
    return new Set(this.#found.keys())
  }

  /** How often each rule was broken, worst first. */
  counts(): readonly FindingCount[] {
    const rank: Record<Severity, number> = { error: 0, warning: 1, info: 2 }
    return [...this.#counts]
      .map(([code, count]) => ({ code, count, severity: this.severityOf(code) }))
      .toSorted((a, b) => rank[a.severity] - rank[b.severity] || (a.code < b.code ? -1 : 1))
  }
}

function decrease(counts: Map<FindingCode, number>, code: FindingCode): void {
  const count = (counts.get(code) ?? 0) - 1
  if (count > 0) counts.set(code, count)
  else counts.delete(code)
}

function position(finding: Finding): number {
  const { origin } = finding
  // What is said of the whole log comes first.
  return origin.byteOffset ?? origin.row ?? -1
}
