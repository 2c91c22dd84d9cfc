/**
 * Turns that lost events in the middle, in formats whose readers enforce what a turn consists of: what stands behind
 * the gap cannot be placed any more. Such a turn ends at the gap as a crash would have ended it.
 */
import type { Dialect } from '../dialect/dialect.ts'
import type { SessionEvent } from '../event/session-event.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { Reducer } from '../replay/reducer.ts'
import { type PendingCall, TurnCursor } from '../replay/turn-cursor.ts'
import { closersAt } from './closers.ts'
import { type Mending, moved } from './event-edits.ts'
import { CompactionBracket, withCompactionEnd } from './open-compaction.ts'
import { step } from './repair-step.ts'
import { type MovedRange, SeqMap } from './seq-map.ts'

export interface InterruptedTurn {
  /** The first event behind the gap, and the next turn start, or one behind the last event. */
  readonly from: number
  readonly until: number
  /** What was open at the gap, and the time of the event before it. */
  readonly open: Pick<TurnCursor, 'turn' | 'step'> & { readonly pending: Map<string, PendingCall> }
  readonly compaction: JsonObject | undefined
  readonly time: number
}

/** @param gaps - seqs of the first events behind a gap. */
export function interruptedTurns(gaps: ReadonlySet<number>): Reducer<readonly InterruptedTurn[]> {
  const found: InterruptedTurn[] = []
  const bracket = new CompactionBracket()
  let cursor: TurnCursor | undefined
  let current: Omit<InterruptedTurn, 'until'> | undefined
  let last = { seq: -1, time: 0 }

  function end(until: number): void {
    if (current !== undefined) found.push({ ...current, until })
    current = undefined
  }

  return {
    on({ event, dialect }) {
      cursor ??= new TurnCursor(dialect)
      if (gaps.has(event.seq) && current === undefined) {
        const open = { turn: cursor.turn, step: cursor.step, pending: new Map(cursor.pending) }
        current = { from: event.seq, open, compaction: bracket.open, time: last.time }
      }
      if (event.type === 'turn/start') end(event.seq)
      cursor.advance(event)
      bracket.advance(event)
      last = event
    },
    finish() {
      end(last.seq + 1)
      return found
    },
  }
}

/** Ends each turn at its gap; the events of it that come after go to quarantine. */
export function closeInterrupted(
  turns: readonly InterruptedTurn[],
  dialect: Dialect,
): Mending & { readonly map: SeqMap } {
  const ranges: MovedRange[] = []
  const closers: SessionEvent[] = []
  let first = 0
  let shift = 0
  for (const { from, until, open, compaction, time } of turns) {
    if (from > first) ranges.push({ first, end: from, shift })
    const renamed = renamedCalls(open.pending, new SeqMap(ranges))
    const plain = closersAt({ ...open, pending: renamed }, { seq: from + shift - 1, time }, dialect)
    const added = withCompactionEnd(plain, compaction)
    closers.push(...added)
    first = until
    shift += added.length - (until - from)
  }
  ranges.push({ first, end: Number.POSITIVE_INFINITY, shift })
  const map = new SeqMap(ranges)
  const lost = turns.reduce((sum, { from, until }) => sum + until - from, 0)
  const seqs = turns.map(({ from }) => from)
  const places = { finding: 'order/seq-gap', seqs, count: closers.length } as const
  return {
    map,
    steps: [step('close-turn', { turns: turns.length, lost }, places)],
    edits: {
      names: moved(map),
      why: 'order/seq-gap',
      inserted: closers as unknown as readonly JsonObject[],
    },
  }
}

function renamedCalls(pending: ReadonlyMap<string, PendingCall>, map: SeqMap): Map<string, PendingCall> {
  const calls = [...pending].map(([id, call]): [string, PendingCall] => {
    const { startedAt } = call
    return [id, startedAt === undefined ? call : { ...call, startedAt: map.of(startedAt) as number }]
  })
  return new Map(calls)
}
