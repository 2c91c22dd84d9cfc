/** The options that choose events, the same wherever events are listed. */
import { choice, value } from './option.ts'
import { parseList, parseSeqRange, parseTurn } from './option-values.ts'

export const EVENT_FILTERS = {
  class: choice('<class>', ['current', 'shadowed', 'log-only'], 'only events of this class'),
  type: value('<types>', parseList, 'only these event types, separated by commas'),
  seq: value('<range>', parseSeqRange, 'only events in this range: A..B, A.. or ..B'),
  turn: value('<n>', parseTurn, 'only events of this turn'),
}
