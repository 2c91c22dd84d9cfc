/** `check`: everything that is wrong with a log, and what it means. */
import { writeBaseline } from '../load/outputs/baseline.ts'
import { withOpened } from '../log/open-log.ts'
import { logReport } from '../report/log-report.ts'
import { reportSetOf } from '../report/report.ts'
import { ToolError } from '../storage/tool-error.ts'
import {
  type CommandContext,
  defineCommand,
  LOG_ARGUMENTS,
  type Outcome,
  type PerLog,
} from './definition/command.ts'
import { NOT_CHECKED } from './definition/exit-codes.ts'
import { choice, flag, type ValuesOf } from './definition/option.ts'
import { releaseOption } from './definition/release-option.ts'
import { wholeOutcome } from './definition/whole-outcome.ts'
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
  arguments: [['[logs...]', LOG_ARGUMENTS]],
  options: OPTIONS,
  uses: ['reading', 'findings', 'limit', 'inputs'],
  exits: {
    0: 'nothing at or above --fail-on',
    1: 'findings at or above --fail-on (error, where it is not given); with --target: that release refuses the log',
    4: NOT_CHECKED,
  },
  examples: [
    'resurface check session.jsonl.zstd',
    'resurface check ~/.dsh/sessions --json',
    'resurface check logs --baseline known.json --format github',
    'resurface check session.jsonl --profile plugin',
    'resurface check - < session.jsonl',
    'resurface check --files-from logs.txt --jobs 4 --format ndjson',
  ],
  perLog: checkOne,
  writesBaseline: ({ updateBaseline }) => updateBaseline,
  run: ([logs], options, context) => check(logs, options, context),
})

function checkOne(options: CheckOptions): PerLog {
  return (opener, input, context) =>
    withOpened(opener, input, context, async (log) => {
      const { reading, verdict: _, findings: _explained, ...data } = await log.check(options)
      return {
        reportSet: reportSetOf(logReport('check', reading, data)),
        exitCode: reading.judgement.exitCode,
      }
    })
}

async function check(
  names: readonly string[],
  options: CheckOptions,
  context: CommandContext,
): Promise<Outcome> {
  const checked = await eachLog('check', names, context, checkOne(options))
  if (!options.updateBaseline) return checked
  const { baselineFile } = context
  if (baselineFile === undefined) throw new ToolError('usage', '--update-baseline needs --baseline FILE')
  const outcome = await wholeOutcome(checked)
  const known = outcome.reportSet.reports.flatMap(({ subject, findings }) =>
    findings.map(({ fingerprint, code, message }) => ({
      fingerprint,
      code,
      log: subject?.path ?? '',
      message,
    })),
  )
  await writeBaseline(baselineFile, known, context.opened)
  return { ...outcome, exitCode: 0, notes: [...(outcome.notes ?? []), `wrote the baseline ${baselineFile}`] }
}
