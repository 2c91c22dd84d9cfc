/** The compaction that a crash left open inside a turn: readers of format 4 let no turn end cross it (format.md §6.4). */
import type { SessionEvent } from '../event/session-event.ts'
import { isJsonObject, type JsonObject } from '../json/json-value.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'

const ERROR = 'the process ended before the compaction did'

export class CompactionBracket {
  #start: JsonObject | undefined

  advance({ type, data }: SessionEvent): void {
    if (type === 'compaction/start' && isJsonObject(data)) this.#start = data
    else if (type === 'compaction/end' || type === 'session/end-seed') this.#start = undefined
  }

  /** Members of the start of the compaction that is open, if it began in a turn. */
  get open(): JsonObject | undefined {
    return typeof this.#start?.turn === 'number' ? this.#start : undefined
  }
}

/** What is open at the end of the log. */
export function openCompaction(): Reducer<JsonObject | undefined> {
  const bracket = new CompactionBracket()
  return {
    onDeltas: ignoreDeltas,
    on: ({ event }) => bracket.advance(event),
    finish: () => bracket.open,
  }
}

/** The closers with the end of the compaction in front of the turn end. */
export function withCompactionEnd(
  closers: readonly SessionEvent[],
  start: JsonObject | undefined,
): readonly SessionEvent[] {
  const last = closers.at(-1)
  if (start === undefined || last === undefined) return closers
  const data = compactionEnd(start, false)
  const end: SessionEvent = { type: 'compaction/end', seq: last.seq, time: last.time, data }
  return [...closers.slice(0, -1), end, { ...last, seq: last.seq + 1 }]
}

/** The data of the end that belongs to a start. */
export function compactionEnd(
  { compactionId, sourceCommandId, turn }: JsonObject,
  isSuccessful: boolean,
): JsonObject {
  return {
    compactionId,
    ...(sourceCommandId !== undefined && { sourceCommandId }),
    turn,
    ...(!isSuccessful && { error: ERROR }),
  } as JsonObject
}
