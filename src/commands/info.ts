/** `info`: what a log is and what it holds. */

import { classification } from '../core/projections/classification.ts'
import { inheritance } from '../core/projections/inheritance.ts'
import { statistics } from '../core/projections/statistics.ts'
import { waitingMessages } from '../core/projections/waiting-messages.ts'
import { SKIPS_STREAMS } from '../load/inputs/judged-log.ts'
import { withOpened } from '../log/open-log.ts'
import { infoData } from '../report/log-report.ts'
import { defineCommand, type PerLog } from './definition/command.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { eachLog } from './many-logs/each-log.ts'

export const command = defineCommand({
  arguments: [['[logs...]', 'log files, databases, directories, session ids, or - for standard input']],
  uses: ['reading', 'findings', 'limit', 'inputs'],
  examples: ['resurface info session.jsonl', 'resurface info session.jsonl --json'],
  perLog: () => describe,
  run: ([logs], _options, context) => eachLog('info', logs, context, describe),
})

const describe: PerLog = (opener, input, context) =>
  withOpened(opener, input, context, async (log) => {
    const reducers = {
      statistics: statistics(),
      classes: classification(),
      inherited: inheritance(),
      waiting: waitingMessages(),
    }
    const reading = await log.read(reducers, SKIPS_STREAMS)
    return lookOutcome('info', reading, infoData(reading), context)
  })
