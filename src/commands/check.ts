/** `check`: everything that is wrong with a log, and what it means. */
import type { CheckData } from '../report/views/check-view.ts'
import { ToolError } from '../storage/tool-error.ts'
import { writeBaseline } from './baseline.ts'
import type { Command, CommandContext, Outcome } from './command.ts'
import { eachLog, type JudgedLog, logReport } from './log-report.ts'

export const command: Command = {
  arguments: [['<logs...>', 'log files, databases, directories, session ids, or - for standard input']],
  options: [
    {
      flags: '--update-baseline',
      description: 'write what was found as the new baseline, to the file of --baseline',
    },
  ],
  examples: [
    'resurface check session.jsonl.zstd',
    'resurface check ~/.dsh/sessions --json',
    'resurface check logs --baseline known.json --format github',
    'resurface check - < session.jsonl',
  ],
  run: ([logs], options, context) =>
    check(logs as readonly string[], options.updateBaseline === true, context),
}

async function check(names: readonly string[], update: boolean, context: CommandContext): Promise<Outcome> {
  const outcome = await eachLog('check', names, context, () => ({}), checked)
  if (!update) return outcome
  const { baselineFile } = context
  if (baselineFile === undefined) throw new ToolError('usage', '--update-baseline needs --baseline FILE')
  await writeBaseline(baselineFile, outcome.answer)
  return { ...outcome, exitCode: 0, notes: [...(outcome.notes ?? []), `wrote the baseline ${baselineFile}`] }
}

function checked(log: JudgedLog<unknown>): Outcome {
  const { layers, counts, opens, exitCode } = log.judgement
  const { known } = log.findings
  const data: CheckData = {
    layers,
    counts,
    opens,
    events: log.end.eventCount,
    rules: log.findings.counts(),
    ...(known > 0 && { known }),
  }
  return { answer: logReport('check', log, data), exitCode }
}
