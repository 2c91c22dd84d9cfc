/** `classify`: current, shadowed or log-only, for every event, with filters. */
import { type ClassifiedEvent, classification } from '../core/projections/classification.ts'
import { withLog } from '../load/inputs/judged-log.ts'
import { madeAnew } from '../report/rows.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { EVENT_FILTERS, type EventFilters, isChosen, isFiltered } from './definition/event-filters.ts'
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
  run: ([log], filters, context) =>
    withLog(log, context, { classes: classification() }, (loaded) => {
      const { counts, events } = loaded.results.classes
      const outcome = lookOutcome(
        'classify',
        loaded,
        { counts, events: madeAnew(() => chosen(events(), filters)) },
        context,
      )
      const [first] = chosen(events(), filters)
      const isMissed = isFiltered(filters) && first === undefined
      return isMissed
        ? { ...outcome, notes: [`no event of ${log} matches`, ...(outcome.notes ?? [])] }
        : outcome
    }),
})

function* chosen(events: Iterable<ClassifiedEvent>, filters: EventFilters): Iterable<ClassifiedEvent> {
  for (const event of events) if (isChosen(event, filters)) yield event
}
