/** `info`: what a log is and what it holds, and with `--sizes` what takes its bytes. */

import { classification } from '../core/projections/classification.ts'
import { inheritance } from '../core/projections/inheritance.ts'
import { statistics } from '../core/projections/statistics.ts'
import { waitingMessages } from '../core/projections/waiting-messages.ts'
import { SKIPS_STREAMS } from '../load/inputs/judged-log.ts'
import type { Log } from '../log/log.ts'
import { withOpened } from '../log/open-log.ts'
import { infoData } from '../report/log-report.ts'
import {
  type CommandContext,
  defineCommand,
  LOG_ARGUMENTS,
  type Outcome,
  type PerLog,
} from './definition/command.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { flag, type ValuesOf } from './definition/option.ts'
import { eachLog } from './many-logs/each-log.ts'

const OPTIONS = {
  sizes: flag(
    'what takes the bytes: types, tools, turns, compactions, repeated texts; and what convert would save',
  ),
}

export const command = defineCommand({
  arguments: [['[logs...]', LOG_ARGUMENTS]],
  options: OPTIONS,
  uses: ['reading', 'findings', 'limit', 'inputs'],
  examples: [
    'resurface info session.jsonl',
    'resurface info session.jsonl --sizes',
    'resurface info session.jsonl --json',
  ],
  perLog: describe,
  run: ([logs], options, context) => eachLog('info', logs, context, describe(options)),
})

function describe({ sizes }: ValuesOf<typeof OPTIONS>): PerLog {
  return (opener, input, context) =>
    withOpened(opener, input, context, (log) => described(log, sizes, context))
}

async function described(log: Log, isSized: boolean, context: CommandContext): Promise<Outcome> {
  const reducers = {
    statistics: statistics(),
    classes: classification(),
    inherited: inheritance(),
    waiting: waitingMessages(),
  }
  const reading = await log.read(reducers, SKIPS_STREAMS)
  const data = infoData(reading)
  if (!isSized) return lookOutcome('info', reading, data, context)
  const { limits } = context
  const [{ logSizes }, { conversionSizes }] = await Promise.all([
    import('../load/sizes/log-sizes.ts'),
    import('../log/conversion-sizes.ts'),
  ])
  const sizes = {
    ...(await logSizes(log.input.source, limits)),
    conversions: await conversionSizes(reading, limits),
  }
  return lookOutcome('info', reading, { ...data, sizes }, context)
}
