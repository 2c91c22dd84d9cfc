/** Which events of a log a command is about: the same filters wherever events are listed. */
import type { ClassifiedEvent } from '../../core/projections/classification.ts'
import { choice, type ValuesOf, value } from './option.ts'
import { parseList, parseSeqRange, parseTurn } from './option-values.ts'

export const EVENT_FILTERS = {
  class: choice('<class>', ['current', 'shadowed', 'log-only'], 'only events of this class'),
  type: value('<types>', parseList, 'only these event types, separated by commas'),
  seq: value('<range>', parseSeqRange, 'only events in this range: A..B, A.. or ..B'),
  turn: value('<n>', parseTurn, 'only events of this turn'),
}

export type EventFilters = ValuesOf<typeof EVENT_FILTERS>

export function isChosen(event: ClassifiedEvent, { class: wanted, type, seq, turn }: EventFilters): boolean {
  if (wanted !== undefined && event.class !== wanted) return false
  if (type !== undefined && !type.includes(event.type)) return false
  if (seq !== undefined && (event.seq < seq.from || event.seq > seq.to)) return false
  return turn === undefined || event.turn === turn
}

export function isFiltered({ class: wanted, type, seq, turn }: EventFilters): boolean {
  return [wanted, type, seq, turn].some((filter) => filter !== undefined)
}
