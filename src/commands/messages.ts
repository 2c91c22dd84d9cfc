/** `messages`: the messages that DSH derives for the model, complete. */

import { surfaceMessages } from '../core/projections/surface-view.ts'
import { withLog } from '../load/inputs/judged-log.ts'
import { logOutcome } from '../report/log-report.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  examples: ['resurface messages session.jsonl --json'],
  isLong: true,
  run: ([log], _options, context) =>
    withLog(log, context, { messages: surfaceMessages() }, (loaded) =>
      logOutcome('messages', loaded, { messages: loaded.results.messages }),
    ),
})
