/** What a log raises, with an eye on one rule, whatever a policy says about it: one replay. */
import { type MigrationFacts, migrationFacts } from '../../core/compatibility/migration-facts.ts'
import { noLint, pluginLint } from '../../core/compatibility/plugin-lint.ts'
import { addUpgradeFindings } from '../../core/compatibility/upgrade-findings.ts'
import { isFormatVersion } from '../../core/dialect/dialect.ts'
import type { Finding } from '../../core/findings/finding.ts'
import type { FindingLog } from '../../core/findings/finding-log.ts'
import { type FindingCode, ruleOf } from '../../core/findings/rules.ts'
import { ignoreDeltas } from '../../core/replay/delta-run.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { type LoadedLog, loadLog } from '../sessions/load-log.ts'

export interface RuleCheck {
  readonly findings: FindingLog
  /** Those of the rule, as many as are kept, in the order of the file. */
  readonly own: readonly Finding[]
}

export interface LintResults {
  readonly lint: readonly Finding[]
  readonly facts: MigrationFacts
}

type Lint = { readonly [Name in keyof LintResults]: Reducer<LintResults[Name]> }

const NO_FACTS: MigrationFacts = { facts: [], refusals: [], isFollowed: false }
const noFacts: Reducer<MigrationFacts> = { onDeltas: ignoreDeltas, on: ignoreDeltas, finish: () => NO_FACTS }

/** What has to see the events besides the checks that always do. */
export function lintFor(code: FindingCode | undefined): Lint {
  const rule = code === undefined ? undefined : ruleOf(code)
  return {
    lint: rule?.lint ? pluginLint() : noLint,
    facts: rule?.upgrade ? migrationFacts() : noFacts,
  }
}

export async function checkRule(
  source: RecordSource,
  code: FindingCode,
  limits: ReadLimits,
): Promise<RuleCheck> {
  return ruleCheck(await loadLog(source, lintFor(code), { limits }), code)
}

/** @param loaded - with the reducers of {@link lintFor}. */
export function ruleCheck(
  { findings, header, results }: Pick<LoadedLog<LintResults>, 'findings' | 'header' | 'results'>,
  code: FindingCode | undefined,
): RuleCheck {
  if (isFormatVersion(header?.version ?? 0)) for (const finding of results.lint) findings.add(finding)
  addUpgradeFindings(findings, results.facts)
  return { findings, own: findings.findings().filter((finding) => finding.code === code) }
}
