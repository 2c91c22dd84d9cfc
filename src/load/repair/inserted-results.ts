/** Results for calls that were left without one, put where they belong; every event behind them moves down. */
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { SessionEvent } from '../../core/event/session-event.ts'
import { isCount, isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { missingResult } from '../../core/repair/closers.ts'
import type { MissingResult } from '../../core/repair/missing-results.ts'
import { type Renaming, renumberRow } from '../../core/repair/renumber-row.ts'
import { SeqMap } from '../../core/repair/seq-map.ts'
import { renumberedHeader } from './arranged-rows.ts'
import type { RecordEdit } from './edited-source.ts'
import { lineOf, rowIn } from './stored-row.ts'

export interface Insertion {
  /** The new events under their new seqs, rising. */
  readonly events: readonly SessionEvent[]
  readonly begin: () => RecordEdit
  /** Those behind the last event. */
  readonly appended: readonly Buffer[]
}

/** @param lastSeq - seq of the last event. */
export function insertResults(
  missing: readonly MissingResult[],
  lastSeq: number,
  dialect: Dialect,
): Insertion {
  const map = SeqMap.opening(missing.map(({ before }) => before))
  const events = missing.map(({ call, before, time }, index) => {
    const { startedAt } = call
    const renamed = startedAt === undefined ? call : { ...call, startedAt: map.of(startedAt) as number }
    return missingResult(call.turn as JsonValue, renamed, before + index, time, dialect)
  })
  const names = namesWith(missing, events, map)
  return {
    events,
    appended: events.filter((_, index) => (missing[index] as MissingResult).before > lastSeq).map(lineOf),
    begin: () => {
      let next = 0
      return (record) => {
        if (record.line === 1) return renumberedHeader(record, map)
        const value = rowIn(record)
        if (!isJsonObject(value)) return undefined
        // No result comes between the members of a packed row, so its first one speaks for all.
        const seq = value.seq0 ?? value.seq
        if (!isCount(seq) || map.keepsBelow(seq + 1)) return undefined
        const lines: Buffer[] = []
        for (; next < missing.length && (missing[next] as MissingResult).before <= seq; next++) {
          lines.push(lineOf(events[next] as SessionEvent))
        }
        lines.push(lineOf(renumberRow(value, map.of(seq) as number, names)))
        return lines
      }
    },
  }
}

/** What cites or shadows a call has to do so with its result too. */
function namesWith(
  missing: readonly MissingResult[],
  events: readonly SessionEvent[],
  map: SeqMap,
): Renaming {
  const followers = new Map<number, number[]>()
  const rangeEnds = new Map<number, { end: number; with: number }>()
  for (const [index, { call, behindNode }] of missing.entries()) {
    const { seq } = events[index] as SessionEvent
    followers.set(call.advertisedAt, [...(followers.get(call.advertisedAt) ?? []), seq])
    rangeEnds.set(behindNode, { end: seq, with: call.advertisedAt })
  }
  return { map, followers, rangeEnds }
}
