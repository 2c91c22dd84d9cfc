/** `classify`: current, shadowed or log-only, for every event, with filters. */
import { type ClassifiedEvent, classification } from '../core/projections/classification.ts'
import type { ClassifyData } from '../report/views/classify-view.ts'
import { type Command, LOG_ARGUMENT, type OptionValues } from './definition/command.ts'
import { parseList, parseSeqRange, parseTurn, type SeqRange } from './definition/option-values.ts'
import { logOutcome, withLog } from './log-report.ts'

export const command: Command = {
  arguments: [['<log>', LOG_ARGUMENT]],
  options: [
    {
      flags: '--class <class>',
      description: 'only events of this class',
      choices: ['current', 'shadowed', 'log-only'],
    },
    { flags: '--type <types>', description: 'only these event types, separated by commas', parse: parseList },
    {
      flags: '--seq <range>',
      description: 'only events in this range: A..B, A.. or ..B',
      parse: parseSeqRange,
    },
    { flags: '--turn <n>', description: 'only events of this turn', parse: parseTurn },
  ],
  examples: [
    'resurface classify session.jsonl --class shadowed',
    'resurface classify session.jsonl --turn 3 --format ndjson',
  ],
  isLong: true,
  run: ([log], options, context) => {
    const path = log as string
    return withLog(path, context, { classes: classification() }, (loaded) => {
      const { counts, events } = loaded.results.classes
      const data: ClassifyData = { counts, events: filtered(events(), options) }
      return logOutcome('classify', loaded, data)
    })
  },
}

function* filtered(events: Iterable<ClassifiedEvent>, options: OptionValues): Iterable<ClassifiedEvent> {
  const types = options.type as readonly string[] | undefined
  const range = options.seq as SeqRange | undefined
  for (const event of events) {
    if (options.class !== undefined && event.class !== options.class) continue
    if (types !== undefined && !types.includes(event.type)) continue
    if (range !== undefined && (event.seq < range.from || event.seq > range.to)) continue
    if (options.turn !== undefined && event.turn !== options.turn) continue
    yield event
  }
}
