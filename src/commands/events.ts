/**
 * `events`: whole events. Without a filter it is a page, cut as DSH cuts its pages (format.md §8.5); a filter looks at the
 * whole log, or at the page that was asked for. What is shown is found in a first reading, and taken in a second.
 */
import { isFiltered } from '../core/projections/event-filter.ts'
import { collected } from '../log/log.ts'
import { withLog } from '../log/open-log.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { EVENT_FILTERS } from './definition/event-filters.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { text, value } from './definition/option.ts'
import { parseCount, parseSeq } from './definition/option-values.ts'

const DEFAULT_MESSAGES = 50

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: {
    ...EVENT_FILTERS,
    text: text('<text>', 'only events with this text in their data, in upper or lower case'),
    before: value('<seq>', parseSeq, 'the page that ends before this event'),
    maxMessages: value('<n>', parseCount, `messages on a page (default ${DEFAULT_MESSAGES})`),
  },
  uses: ['reading', 'findings'],
  examples: [
    'resurface events session.jsonl --max-messages 10',
    'resurface events session.jsonl --before 412 --json',
    'resurface events session.jsonl --type tool/call --text "npm test"',
  ],
  isLong: true,
  run: ([path], { maxMessages, ...options }, context) => {
    const hasFilter = isFiltered(options) || options.text !== undefined
    const isWhole = hasFilter && options.before === undefined
    return withLog(path, context, async (log) => {
      const page = isWhole ? maxMessages : (maxMessages ?? DEFAULT_MESSAGES)
      const { items: events, end } = await collected(log.events({ ...options, maxMessages: page }))
      const { reading, ...more } = end
      const remarks = hasFilter && events.length === 0 ? [`no event of ${path} matches`] : []
      return lookOutcome('events', reading, { events, ...more }, context, remarks)
    })
  },
})
