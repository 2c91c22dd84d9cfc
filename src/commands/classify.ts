/** `classify`: current, shadowed or log-only, for every event, with filters. */
import { isFiltered } from '../core/projections/event-filter.ts'
import { withLog } from '../log/open-log.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { EVENT_FILTERS } from './definition/event-filters.ts'
import { lookOutcome } from './definition/look-outcome.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: EVENT_FILTERS,
  uses: ['reading', 'findings'],
  examples: [
    'resurface classify session.jsonl --class shadowed',
    'resurface classify session.jsonl --turn 3 --format ndjson',
  ],
  isLong: true,
  run: ([path], filters, context) =>
    withLog(path, context, async (log) => {
      const { reading, ...data } = await log.classify(filters)
      const [first] = data.events
      const isMissed = isFiltered(filters) && first === undefined
      return lookOutcome('classify', reading, data, context, isMissed ? [`no event of ${path} matches`] : [])
    }),
})
