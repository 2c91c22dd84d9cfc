/** Events that nothing is sent of and that keep a log shut, because what they belong to is lost. */
import type { Reducer } from '../replay/reducer.ts'

const BRACKETS: ReadonlySet<string> = new Set(['turn/start', 'turn/end', 'step/start', 'step/end'])

/** @param blocking - seqs of events that readers refuse. @returns those that may go: no message and no bracket. */
export function unplacedEvents(blocking: ReadonlySet<number>): Reducer<readonly number[]> {
  const found: number[] = []
  return {
    on({ event, effect }) {
      if (blocking.has(event.seq) && effect.kind === 'log-only' && !BRACKETS.has(event.type))
        found.push(event.seq)
    },
    finish: () => found,
  }
}
