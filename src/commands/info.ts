/** `info`: what a log is and what it holds. */

import { type Classification, classification } from '../core/projections/classification.ts'
import { type Statistics, statistics } from '../core/projections/statistics.ts'
import { type JudgedLog, withOpened } from '../load/inputs/judged-log.ts'
import { infoData, logOutcome } from '../report/log-report.ts'
import { defineCommand, type LogOutcome, type PerLog } from './definition/command.ts'
import { eachLog } from './many-logs/each-log.ts'

export const command = defineCommand({
  arguments: [['<logs...>', 'log files, databases, directories, session ids, or - for standard input']],
  examples: ['resurface info session.jsonl', 'resurface info session.jsonl --json'],
  perLog: () => describe,
  run: ([logs], _options, context) => eachLog('info', logs, context, describe),
})

const describe: PerLog = (opener, input, context) =>
  withOpened(opener, input, context, { statistics: statistics(), classes: classification() }, described)

function described(log: JudgedLog<{ statistics: Statistics; classes: Classification }>): LogOutcome {
  return logOutcome('info', log, infoData(log))
}
