/** Every type that the catalogue knows, rows that are no events, and a few that mean nothing. */
import { PACKED_ROWS } from '../../src/core/event-types/envelope.ts'
import { EVENT_TYPES as CATALOGUE } from '../../src/core/event-types/event-types.ts'

export const EVENT_TYPES: readonly string[] = [
  ...Object.keys(CATALOGUE),
  ...Object.keys(PACKED_ROWS),
  'session',
  'acme/x',
  '__proto__',
  'constructor',
  '',
]
