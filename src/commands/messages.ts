/** `messages`: the messages that DSH derives for the model, complete. */
import { surfaceMessages } from '../core/projections/surface-view.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { logOutcome, withLog } from './log-report.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  examples: ['resurface messages session.jsonl --json'],
  isLong: true,
  run: ([log], _options, context) =>
    withLog(log, context, { messages: surfaceMessages() }, (loaded) =>
      logOutcome('messages', loaded, { messages: loaded.results.messages }),
    ),
})
