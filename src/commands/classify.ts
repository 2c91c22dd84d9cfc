/** `classify`: current, shadowed or log-only, for every event, with filters. */

import { type ClassifiedEvent, classification } from '../core/projections/classification.ts'
import { withLog } from '../load/inputs/judged-log.ts'
import { logOutcome } from '../report/log-report.ts'
import type { ReportData } from '../report/report.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { choice, type ValuesOf, value } from './definition/option.ts'
import { parseList, parseSeqRange, parseTurn } from './definition/option-values.ts'

const OPTIONS = {
  class: choice('<class>', ['current', 'shadowed', 'log-only'], 'only events of this class'),
  type: value('<types>', parseList, 'only these event types, separated by commas'),
  seq: value('<range>', parseSeqRange, 'only events in this range: A..B, A.. or ..B'),
  turn: value('<n>', parseTurn, 'only events of this turn'),
}

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: OPTIONS,
  examples: [
    'resurface classify session.jsonl --class shadowed',
    'resurface classify session.jsonl --turn 3 --format ndjson',
  ],
  isLong: true,
  run: ([log], options, context) =>
    withLog(log, context, { classes: classification() }, (loaded) => {
      const { counts, events } = loaded.results.classes
      const data: ReportData<'classify'> = { counts, events: filtered(events(), options) }
      return logOutcome('classify', loaded, data)
    }),
})

function* filtered(
  events: Iterable<ClassifiedEvent>,
  { class: wanted, type, seq, turn }: ValuesOf<typeof OPTIONS>,
): Iterable<ClassifiedEvent> {
  for (const event of events) {
    if (wanted !== undefined && event.class !== wanted) continue
    if (type !== undefined && !type.includes(event.type)) continue
    if (seq !== undefined && (event.seq < seq.from || event.seq > seq.to)) continue
    if (turn !== undefined && event.turn !== turn) continue
    yield event
  }
}
