/**
 * `events`: whole events. Without a filter it is a page, cut as DSH cuts its pages (format.md §8.5); a filter looks at the
 * whole log, or at the page that was asked for. What is shown is found in a first reading, and taken in a second.
 */
import type { SessionEvent } from '../core/event/session-event.ts'
import { classification } from '../core/projections/classification.ts'
import { eventsBetween, pageBounds } from '../core/projections/event-pages.ts'
import { saysText } from '../core/projections/message-text.ts'
import { loadInput, withLog } from '../load/inputs/judged-log.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { EVENT_FILTERS, isChosen, isFiltered } from './definition/event-filters.ts'
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
  run: ([log], options, context) => {
    const { text: wanted, before, maxMessages, ...filters } = options
    const hasFilter = isFiltered(filters) || wanted !== undefined
    const hasPage = !hasFilter || before !== undefined || maxMessages !== undefined
    const bounds = pageBounds(hasPage ? (maxMessages ?? DEFAULT_MESSAGES) : Number.POSITIVE_INFINITY, before)
    return withLog(log, context, { bounds, classes: classification() }, async ({ name, results, input }) => {
      const { from, before: end, hasMore } = results.bounds
      const classes = results.classes.events()[Symbol.iterator]()
      const isWanted = (event: SessionEvent): boolean => {
        const { value: classified } = classes.next()
        if (classified !== undefined && !isChosen(classified, filters)) return false
        return wanted === undefined || saysText(event.data, wanted)
      }
      const read = await loadInput(name, input, context, { events: eventsBetween(from, end, isWanted) })
      const { events } = read.results
      const firstSeq = hasFilter && end > from ? from : events[0]?.seq
      const data = { events, hasMore, ...(firstSeq !== undefined && { firstSeq }) }
      const outcome = lookOutcome('events', read, data, context)
      const isMissed = hasFilter && events.length === 0
      return isMissed
        ? { ...outcome, notes: [`no event of ${name} matches`, ...(outcome.notes ?? [])] }
        : outcome
    })
  },
})
