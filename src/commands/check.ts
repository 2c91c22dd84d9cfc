/** `check`: everything that is wrong with a log, and what it means. */
import { type MigrationFacts, migrationFacts } from '../core/compatibility/migration-facts.ts'
import { noLint, pluginLint } from '../core/compatibility/plugin-lint.ts'
import { judgeForReleases } from '../core/compatibility/upgrade-findings.ts'
import { isFormatVersion } from '../core/dialect/dialect.ts'
import type { Finding } from '../core/findings/finding.ts'
import { type JudgedLog, withOpened } from '../load/inputs/judged-log.ts'
import { writeBaseline } from '../load/outputs/baseline.ts'
import { checkData, logReport } from '../report/log-report.ts'
import { answerOf, type Report } from '../report/report.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, type Outcome, type PerLog } from './definition/command.ts'
import { choice, flag, type ValuesOf } from './definition/option.ts'
import { releaseOption } from './definition/release-option.ts'
import { eachLog } from './many-logs/each-log.ts'

const OPTIONS = {
  target: releaseOption('what this release refuses is an error'),
  profile: choice(
    '<name>',
    ['plugin'],
    'look closer for: authors of plugins (what the next format will refuse)',
  ),
  updateBaseline: flag('write what was found as the new baseline, to the file of --baseline'),
}

type CheckOptions = ValuesOf<typeof OPTIONS>

export const command = defineCommand({
  arguments: [['[logs...]', 'log files, databases, directories, session ids, or - for standard input']],
  options: OPTIONS,
  uses: ['reading', 'findings', 'limit', 'inputs'],
  examples: [
    'resurface check session.jsonl.zstd',
    'resurface check ~/.dsh/sessions --json',
    'resurface check logs --baseline known.json --format github',
    'resurface check session.jsonl --profile plugin',
    'resurface check - < session.jsonl',
  ],
  perLog: checkOne,
  writesBaseline: ({ updateBaseline }) => updateBaseline,
  run: ([logs], options, context) => check(logs, options, context),
})

function checkOne({ target, profile }: CheckOptions): PerLog {
  return (opener, input, context) => {
    const reducers = { facts: migrationFacts(), lint: profile === 'plugin' ? pluginLint() : noLint }
    return withOpened(opener, input, context, reducers, async (log) => {
      const { report, exitCode } = checked(log, target, context)
      if (target === undefined) return { answer: answerOf(report), exitCode }
      const { rehearse } = await import('../load/repair/rehearse.ts')
      const rehearsal = await rehearse(log.input, target, context.limits)
      return { answer: answerOf({ ...report, data: { ...report.data, rehearsal } }), exitCode }
    })
  }
}

async function check(
  names: readonly string[],
  options: CheckOptions,
  context: CommandContext,
): Promise<Outcome> {
  const outcome = await eachLog('check', names, context, checkOne(options))
  if (!options.updateBaseline) return outcome
  const { baselineFile } = context
  if (baselineFile === undefined) throw new ToolError('usage', '--update-baseline needs --baseline FILE')
  const { answer } = outcome
  const { reports } = answer
  const known = reports.flatMap(({ subject, findings }) =>
    findings.map(({ fingerprint, code, message }) => ({
      fingerprint,
      code,
      log: subject?.path ?? '',
      message,
    })),
  )
  await writeBaseline(baselineFile, known)
  return { ...outcome, exitCode: 0, notes: [...(outcome.notes ?? []), `wrote the baseline ${baselineFile}`] }
}

function checked(
  log: JudgedLog<{ facts: MigrationFacts; lint: readonly Finding[] }>,
  target: string | undefined,
  context: CommandContext,
): { readonly report: Report<'check'>; readonly exitCode: number } {
  const { findings, header } = log
  if (isFormatVersion(header?.version ?? 0)) for (const finding of log.results.lint) findings.add(finding)
  const { facts } = log.results
  const { judgement, compatibility } = judgeForReleases(
    findings,
    header?.version,
    facts,
    context.failOn,
    target,
  )
  const judged = { ...log, judgement }
  const data = checkData(judged, compatibility)
  return { report: logReport('check', judged, data), exitCode: judgement.exitCode }
}
