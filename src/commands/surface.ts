/** `surface`: what the model sees, now or at an earlier moment; with `--messages`, the messages themselves. */
import { surfaceMessages, surfaceView } from '../core/projections/surface-view.ts'
import type { SurfaceData } from '../report/views/surface-view.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type Command, LOG_ARGUMENT } from './command.ts'
import { logOutcome, withLog } from './log-report.ts'
import { parseSeq } from './option-values.ts'

export const command: Command = {
  arguments: [['<log>', LOG_ARGUMENT]],
  options: [
    { flags: '--at <seq>', description: 'show the surface as it was after this event', parse: parseSeq },
    { flags: '--messages', description: 'show the derived model messages' },
  ],
  examples: ['resurface surface session.jsonl', 'resurface surface session.jsonl --at 412 --json'],
  isLong: true,
  run: ([log], options, context) => {
    const path = log as string
    const at = options.at as number | undefined
    const reducers = { surface: surfaceView(), messages: surfaceMessages() }
    return withLog(
      path,
      context,
      reducers,
      (loaded) => {
        const lastSeq = loaded.end.last?.event.seq ?? -1
        if (at !== undefined && at > lastSeq) throw new ToolError('usage', `the log ends at seq ${lastSeq}`)
        if (options.messages === true) {
          return logOutcome('messages', loaded, { messages: loaded.results.messages })
        }
        const data: SurfaceData = { ...(at !== undefined && { at }), ...loaded.results.surface }
        return logOutcome('surface', loaded, data)
      },
      at === undefined ? {} : { until: at },
    )
  },
}
