/** `check`: everything that is wrong with a log, and what it means. */
import type { CheckData } from '../report/views/check-view.ts'
import type { Command, CommandContext, Outcome } from './command.ts'
import { eachLog, logReport, withLog } from './log-report.ts'

export const command: Command = {
  arguments: [['<logs...>', 'log files, directories, or - for standard input']],
  examples: [
    'resurface check session.jsonl',
    'resurface check ~/.dsh/sessions --json',
    'resurface check - < session.jsonl',
  ],
  run: ([logs], _options, context) =>
    eachLog('check', logs as readonly string[], (path) => checkLog(path, context)),
}

function checkLog(path: string, context: CommandContext): Promise<Outcome> {
  return withLog(path, context, {}, (log) => {
    const { layers, counts, opens, exitCode } = log.judgement
    const data: CheckData = {
      layers,
      counts,
      opens,
      events: log.end.eventCount,
      rules: log.findings.counts(),
    }
    return { answer: logReport('check', path, log, data), exitCode }
  })
}
