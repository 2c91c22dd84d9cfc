/** `surface`: what the model sees, now or at an earlier moment; with `--messages`, the messages themselves. */
import { surfaceMessages, surfaceView } from '../core/projections/surface-view.ts'
import { mustBeLog, withLog } from '../load/inputs/judged-log.ts'
import { surfaceDigest } from '../load/sessions/log-digests.ts'
import type { ReportData } from '../report/report.ts'
import { ToolError } from '../storage/tool-error.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { flag, value } from './definition/option.ts'
import { parseSeq } from './definition/option-values.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: {
    at: value('<seq>', parseSeq, 'show the surface as it was after this event'),
    messages: flag('show the derived model messages'),
    digest: flag(
      'print instead the SHA-256 of the messages, each as canonical JSON (RFC 8785, but -0 stays) and a line feed: the same in every container',
    ),
  },
  uses: ['reading', 'findings', 'limit'],
  examples: [
    'resurface surface session.jsonl',
    'resurface surface session.jsonl --at 412 --json',
    'test "$(resurface surface session.jsonl --digest)" = "$(cat surface.lock)"',
  ],
  isLong: true,
  run: async ([log], options, context) => {
    const { at } = options
    if (options.messages && options.digest)
      throw new ToolError('usage', 'choose one of --messages and --digest')
    const reducers = { surface: surfaceView(), messages: surfaceMessages() }
    return withLog(
      log,
      context,
      reducers,
      (loaded) => {
        const lastSeq = loaded.end.last?.event.seq ?? -1
        if (at !== undefined && at > lastSeq) throw new ToolError('usage', `the log ends at seq ${lastSeq}`)
        if (options.messages) {
          return lookOutcome('messages', loaded, { messages: loaded.results.messages }, context)
        }
        const { surface, messages } = loaded.results
        const data: ReportData<'surface'> = { ...(at !== undefined && { at }), ...surface }
        if (!options.digest) return lookOutcome('surface', loaded, data, context)
        mustBeLog(loaded)
        return lookOutcome('surface', loaded, { ...data, digest: surfaceDigest(messages) }, context)
      },
      at === undefined ? {} : { until: at },
    )
  },
})
