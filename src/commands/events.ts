/**
 * `events`: whole events. Without a filter it is a page, cut as DSH cuts its pages (format.md §8.5); `--all` and filters look
 * at the whole log, or at the page that was asked for. What is shown is found in a first reading, and taken in a second.
 */
import { isFiltered } from '../core/projections/event-filter.ts'
import { collected } from '../log/log.ts'
import { withOpened } from '../log/open-log.ts'
import { defineCommand, LOG_ARGUMENTS, type PerLog } from './definition/command.ts'
import { EVENT_FILTERS } from './definition/event-filters.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { flag, text, type ValuesOf, value } from './definition/option.ts'
import { parseCount, parseSeq } from './definition/option-values.ts'
import { REDACTION, redacting } from './definition/redaction.ts'
import { eachLog } from './many-logs/each-log.ts'

const DEFAULT_MESSAGES = 50

const OPTIONS = {
  ...EVENT_FILTERS,
  text: text('<text>', 'only events with this text in their data, in upper or lower case'),
  all: flag('every event, not a page'),
  before: value('<seq>', parseSeq, 'the page that ends before this event'),
  maxMessages: value('<n>', parseCount, `messages on a page (default ${DEFAULT_MESSAGES})`),
  ...REDACTION,
}

export const command = defineCommand({
  arguments: [['[logs...]', LOG_ARGUMENTS]],
  options: OPTIONS,
  uses: ['reading', 'findings', 'inputs'],
  examples: [
    'resurface events session.jsonl --max-messages 10',
    'resurface events session.jsonl --before 412 --json',
    'resurface events session.jsonl --type tool/call --text "npm test"',
    'resurface events ~/.dsh/sessions --all --format ndjson',
  ],
  isLong: true,
  perLog: shown,
  run: ([logs], options, context) => eachLog('events', logs, context, shown(options)),
})

function shown({ maxMessages, all, ...options }: ValuesOf<typeof OPTIONS>): PerLog {
  const hasFilter = isFiltered(options) || options.text !== undefined
  const isPage = !all && (!hasFilter || options.before !== undefined)
  const page = maxMessages ?? (isPage ? DEFAULT_MESSAGES : undefined)
  return async (opener, input, context) =>
    withOpened(opener, input, await redacting(context, options), async (log) => {
      const { items: events, end } = await collected(log.events({ ...options, maxMessages: page }))
      const { reading, ...more } = end
      const isMissed = hasFilter && events.length === 0 && context.list.filesFrom === undefined
      const remarks = isMissed ? [`no event of ${log.name} matches`] : []
      return lookOutcome('events', reading, { events, ...more }, context, remarks)
    })
}
