/** `history`: one page of raw events, cut as DSH cuts its pages. Finds the page first, then reads it. */
import { eventsBetween, pageBounds } from '../core/projections/history.ts'
import type { HistoryData } from '../report/views/history-view.ts'
import { type Command, LOG_ARGUMENT } from './definition/command.ts'
import { parseCount, parseSeq } from './definition/option-values.ts'
import { loadInput, logOutcome, withLog } from './log-report.ts'

const DEFAULT_MESSAGES = 50

export const command: Command = {
  arguments: [['<log>', LOG_ARGUMENT]],
  options: [
    { flags: '--before <seq>', description: 'end the page before this event', parse: parseSeq },
    {
      flags: '--max-messages <n>',
      description: `messages on the page (default ${DEFAULT_MESSAGES})`,
      parse: parseCount,
    },
  ],
  examples: [
    'resurface history session.jsonl --max-messages 10',
    'resurface history session.jsonl --before 412 --json',
  ],
  isLong: true,
  run: ([log], options, context) => {
    const path = log as string
    const maxMessages = (options.maxMessages as number | undefined) ?? DEFAULT_MESSAGES
    const bounds = pageBounds(maxMessages, options.before as number | undefined)
    return withLog(path, context, { bounds }, async ({ name, results, input }) => {
      const { from, before, hasMore } = results.bounds
      const page = await loadInput(name, input, context, { events: eventsBetween(from, before) })
      const { events } = page.results
      const firstSeq = events[0]?.seq
      const data: HistoryData = { events, hasMore, ...(firstSeq !== undefined && { firstSeq }) }
      return logOutcome('history', page, data)
    })
  },
}
