/** `surface`: what the model sees, now or at an earlier moment; with `--messages`, the messages themselves. */
import { withLog } from '../log/open-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { flag, value } from './definition/option.ts'
import { parseSeq } from './definition/option-values.ts'
import { REDACTION, redacting } from './definition/redaction.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: {
    at: value('<seq>', parseSeq, 'show the surface as it was after this event'),
    messages: flag('show the derived model messages'),
    digest: flag(
      'print instead the SHA-256 of the messages, each as canonical JSON (RFC 8785, but -0 stays) and a line feed: the same in every container',
    ),
    ...REDACTION,
  },
  uses: ['reading', 'findings', 'limit'],
  examples: [
    'resurface surface session.jsonl',
    'resurface surface session.jsonl --at 412 --json',
    'test "$(resurface surface session.jsonl --digest)" = "$(cat surface.lock)"',
  ],
  isLong: true,
  run: async ([path], { at, messages, digest, ...redaction }, context) => {
    if (messages && digest) throw new ToolError('usage', 'choose one of --messages and --digest')
    return withLog(path, await redacting(context, redaction), async (log) => {
      if (messages) {
        const { reading, ...data } = await log.keptMessages({ at })
        return lookOutcome('messages', reading, data, context)
      }
      const { reading, ...data } = await log.surfaceOutline({ at, digest })
      return lookOutcome('surface', reading, data, context)
    })
  },
})
