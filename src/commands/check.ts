/** `check`: everything that is wrong with a log, and what it means. */
import type { CheckData } from '../report/views/check-view.ts'
import type { Command, Outcome } from './command.ts'
import { eachLog, type JudgedLog, logReport } from './log-report.ts'

export const command: Command = {
  arguments: [['<logs...>', 'log files, databases, directories, session ids, or - for standard input']],
  examples: [
    'resurface check session.jsonl.zstd',
    'resurface check ~/.dsh/sessions --json',
    'resurface check - < session.jsonl',
  ],
  run: ([logs], _options, context) =>
    eachLog('check', logs as readonly string[], context, () => ({}), checked),
}

function checked(log: JudgedLog<unknown>): Outcome {
  const { layers, counts, opens, exitCode } = log.judgement
  const data: CheckData = { layers, counts, opens, events: log.end.eventCount, rules: log.findings.counts() }
  return { answer: logReport('check', log, data), exitCode }
}
