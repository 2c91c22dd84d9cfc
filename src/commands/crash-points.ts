/** `crash-points`: what a resume would make of the log had its writer died after each event. */
import { crashPoints } from '../core/projections/crash-points.ts'
import { withLog } from '../log/open-log.ts'
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
  run: ([path], { frames }, context) =>
    withLog(path, context, async (log) => {
      if (frames && log.input.container !== 'zstd')
        throw new ToolError('usage', `${path} has no frames`, 'Leave --frames out.')
      const reading = await log.read({ crashes: crashPoints(frames) })
      return lookOutcome('crash-points', reading, reading.results.crashes, context)
    }),
})
