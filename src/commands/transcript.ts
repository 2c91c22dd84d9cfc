/** `transcript`: the conversation as the human saw it. */
import { type TranscriptEntry, transcript } from '../core/projections/transcript.ts'
import type { TranscriptData } from '../report/views/transcript-view.ts'
import { type Command, LOG_ARGUMENT } from './command.ts'
import { logOutcome, withLog } from './log-report.ts'

export const command: Command = {
  arguments: [['<log>', LOG_ARGUMENT]],
  examples: [
    'resurface transcript session.jsonl',
    'resurface transcript session.jsonl --format markdown -o session.md',
  ],
  run: ([log], _options, context) => {
    const path = log as string
    const entries: TranscriptEntry[] = []
    return withLog(path, context, { transcript: transcript((entry) => entries.push(entry)) }, (loaded) => {
      const data: TranscriptData = { entries }
      return logOutcome('transcript', loaded, data)
    })
  },
}
