/** `info`: what a log is and what it holds. */
import { classification } from '../core/projections/classification.ts'
import { statistics } from '../core/projections/statistics.ts'
import type { InfoData } from '../report/views/info-view.ts'
import type { Command, CommandContext, Outcome } from './command.ts'
import { eachLog, logOutcome, withLog } from './log-report.ts'

export const command: Command = {
  arguments: [['<logs...>', 'log files, directories, or - for standard input']],
  examples: ['resurface info session.jsonl', 'resurface info session.jsonl --json'],
  run: ([logs], _options, context) =>
    eachLog('info', logs as readonly string[], (path) => infoOf(path, context)),
}

function infoOf(path: string, context: CommandContext): Promise<Outcome> {
  return withLog(path, context, { statistics: statistics(), classes: classification() }, (log) => {
    const { header, layout, results } = log
    const data: InfoData = {
      ...(header !== undefined && { header }),
      bytes: layout.totalBytes,
      classes: results.classes.counts,
      ...results.statistics,
    }
    return logOutcome('info', path, log, data)
  })
}
