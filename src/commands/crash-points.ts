/** `crash-points`: what a resume would make of the log had its writer died after each event. */
import { crashPoints } from '../core/projections/crash-points.ts'
import { withLog } from '../load/inputs/judged-log.ts'
import type { ReportData } from '../report/report.ts'
import { ToolError } from '../storage/tool-error.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { flag } from './definition/option.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: { frames: flag('only after whole frames of a compressed log') },
  uses: ['reading', 'findings'],
  examples: [
    'resurface crash-points session.jsonl',
    'resurface crash-points session.jsonl.zstd --frames --json',
  ],
  isLong: true,
  run: ([log], { frames }, context) =>
    withLog(log, context, { crashes: crashPoints(frames) }, (loaded) => {
      const { container } = loaded.input
      if (frames && container !== 'zstd')
        throw new ToolError('usage', `${log} has no frames`, 'Leave --frames out.')
      const data: ReportData<'crash-points'> = loaded.results.crashes
      return lookOutcome('crash-points', loaded, data, context)
    }),
})
