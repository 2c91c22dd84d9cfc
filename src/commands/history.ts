/** `history`: one page of raw events, cut as DSH cuts its pages. Finds the page first, then reads it. */

import { eventsBetween, pageBounds } from '../core/projections/history.ts'
import { loadInput, withLog } from '../load/inputs/judged-log.ts'
import { logOutcome } from '../report/log-report.ts'
import type { ReportData } from '../report/report.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { value } from './definition/option.ts'
import { parseCount, parseSeq } from './definition/option-values.ts'

const DEFAULT_MESSAGES = 50

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: {
    before: value('<seq>', parseSeq, 'end the page before this event'),
    maxMessages: value('<n>', parseCount, `messages on the page (default ${DEFAULT_MESSAGES})`),
  },
  examples: [
    'resurface history session.jsonl --max-messages 10',
    'resurface history session.jsonl --before 412 --json',
  ],
  isLong: true,
  run: ([log], { before, maxMessages = DEFAULT_MESSAGES }, context) => {
    const bounds = pageBounds(maxMessages, before)
    return withLog(log, context, { bounds }, async ({ name, results, input }) => {
      const { from, before: end, hasMore } = results.bounds
      const page = await loadInput(name, input, context, { events: eventsBetween(from, end) })
      const { events } = page.results
      const firstSeq = events[0]?.seq
      const data: ReportData<'history'> = { events, hasMore, ...(firstSeq !== undefined && { firstSeq }) }
      return logOutcome('history', page, data)
    })
  },
})
