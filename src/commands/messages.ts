/** `messages`: the messages that DSH derives for the model, complete. */
import { surfaceMessages } from '../core/projections/surface-view.ts'
import type { Command } from './command.ts'
import { logOutcome, withLog } from './log-report.ts'

export const command: Command = {
  arguments: [['<log>', 'log file, or - for standard input']],
  examples: ['resurface messages session.jsonl --json'],
  run: ([log], _options, context) => {
    const path = log as string
    return withLog(path, context, { messages: surfaceMessages() }, (loaded) =>
      logOutcome('messages', path, loaded, { messages: loaded.results.messages }),
    )
  },
}
