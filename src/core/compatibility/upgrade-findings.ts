/** What later releases have against a log, as findings: each at its event, in the words of its rule. */
import { type Finding, findingOf } from '../findings/finding.ts'
import type { FindingLog } from '../findings/finding-log.ts'
import { listed } from '../findings/grammar.ts'
import { ruleOf } from '../findings/rules.ts'
import { type FailOn, type Judgement, judge } from '../findings/verdict.ts'
import { type ReleaseVerdict, releaseVerdicts } from './compatibility.ts'
import type { UpgradeArea, UpgradeRefusal } from './migration/refusal.ts'
import type { MigrationFacts } from './migration-facts.ts'
import { RELEASE_LINES } from './release-lines.ts'

export interface ReleaseJudgement {
  readonly judgement: Judgement
  readonly compatibility: readonly ReleaseVerdict[]
}

/**
 * Judges a log for every release; what the later ones mind becomes findings.
 * @param target - the release that has to open the log: what it refuses is an error then, and when it opens the log,
 * what only others refuse is a note.
 */
export function judgeForReleases(
  findings: FindingLog,
  format: number | undefined,
  facts: MigrationFacts,
  failOn?: FailOn,
  target?: string,
): ReleaseJudgement {
  const compatibility = releaseVerdicts(format, findings.counts(), facts)
  const wanted = compatibility.find(({ release }) => release === target)
  addUpgradeFindings(findings, facts, wanted)
  return { compatibility, judgement: judge(findings.counts(), failOn, findings.found(), wanted?.opens) }
}

export function addUpgradeFindings(
  findings: FindingLog,
  { facts, refusals }: MigrationFacts,
  target?: ReleaseVerdict,
): void {
  const format = RELEASE_LINES.find(({ name }) => name === target?.release)?.format
  const isMeant = ({ targets }: Pick<UpgradeRefusal, 'targets'>): boolean =>
    target === undefined || targets.some((one) => one === format)
  const shown = new Map<UpgradeArea, number>()
  for (const refusal of refusals.filter(isMeant)) {
    const { area, seq, origin } = refusal
    shown.set(area, (shown.get(area) ?? 0) + 1)
    // What the readers of the log's own format refuse as well is said by that; the header has line 1 for all of it.
    const line = area === 'row-damaged' && target === undefined ? origin.line : undefined
    if (!findings.refusesAt({ seq, line })) findings.add(findingFor(refusal))
  }
  for (const { area, count } of facts.filter(isMeant)) {
    const inDetail = Math.min(count, shown.get(area) ?? 0)
    shown.set(area, (shown.get(area) ?? 0) - inDetail)
    findings.count(`upgrade/${area}`, count - inDetail)
  }
  if (target !== undefined) meant(findings, target)
}

function findingFor({ area, targets, origin, seq, type, path, problem }: UpgradeRefusal): Finding {
  const names = RELEASE_LINES.filter(({ format }) => targets.some((target) => target === format))
  const releases = listed(
    names.map(({ name }) => name),
    'and',
  )
  const args = { type, path, problem, releases }
  return findingOf(`upgrade/${area}`, args, { origin, ...(seq !== undefined && { seq }) })
}

/** Whatever the requested release refuses is an error, also when other releases refuse it too. */
function meant(findings: FindingLog, { release, reasons, opens }: ReleaseVerdict): void {
  if (opens) {
    for (const code of findings.found()) {
      const { refused, refusedBefore012 } = ruleOf(code)
      if (refused === true || refusedBefore012 === true) findings.lower(code)
    }
    return
  }
  for (const { code, what, count } of reasons) {
    if (code !== undefined) findings.raise(code)
    else {
      const origin = { line: 1, byteOffset: 0 }
      findings.add({ code: 'compatibility/target', origin, args: { release, what, count } })
    }
  }
}
