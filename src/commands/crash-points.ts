/** `crash-points`: what a resume would make of the log had its writer died behind each event. */
import { crashPoints } from '../core/projections/crash-points.ts'
import type { CrashPointsData } from '../report/views/crash-points-view.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type Command, LOG_ARGUMENT } from './definition/command.ts'
import { logOutcome, withLog } from './log-report.ts'

export const command: Command = {
  arguments: [['<log>', LOG_ARGUMENT]],
  options: [{ flags: '--frames', description: 'only behind whole frames of a compressed log' }],
  examples: [
    'resurface crash-points session.jsonl',
    'resurface crash-points session.jsonl.zstd --frames --json',
  ],
  isLong: true,
  run: ([log], options, context) => {
    const path = log as string
    const atFrames = options.frames === true
    return withLog(path, context, { crashes: crashPoints(atFrames) }, (loaded) => {
      const { container } = loaded.input
      if (atFrames && container !== 'zstd')
        throw new ToolError('usage', `${path} has no frames`, 'Leave --frames out.')
      const data: CrashPointsData = loaded.results.crashes
      return logOutcome('crash-points', loaded, data)
    })
  },
}
