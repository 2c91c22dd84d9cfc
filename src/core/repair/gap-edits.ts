/** The edit that puts found events into the gaps of a log, and closes what is left of the gaps. */
import type { Dialect } from '../dialect/dialect.ts'
import type { JsonObject } from '../json/json-value.ts'
import { type EventEdits, moved } from './event-edits.ts'
import type { FilledGaps } from './fill-gaps.ts'
import type { EventRef, Filling, GapLoss, LostRange } from './gaps.ts'
import { repairedMessageId } from './identity-patches.ts'
import { noteSource } from './note-events.ts'
import { type RepairStep, step } from './repair-step.ts'
import type { RowPatch } from './row-patch.ts'
import type { RowPatches } from './row-patches.ts'
import { type MovedRange, SeqMap } from './seq-map.ts'

export interface GapEdits {
  readonly edits: EventEdits
  readonly steps: readonly RepairStep[]
  /** Changes of single events, for their steps. */
  readonly patches: RowPatches
  /** From the dense numbers, which have no gaps, to the new ones. */
  readonly openings: SeqMap
}

/** @param kept - where the events of the log go when every gap is closed. */
export function gapEdits(
  kept: readonly MovedRange[],
  { fillings, losses, orphans, standIns }: FilledGaps,
  { sessionId, dialect }: { readonly sessionId: string; readonly dialect: Dialect },
): GapEdits {
  const openings = SeqMap.opening(fillings.map(({ before }) => before))
  const seqs = new Map<Filling, number>(fillings.map((filling, index) => [filling, filling.before + index]))
  const seqOf = (event: EventRef): number =>
    typeof event === 'number' ? (openings.of(event) as number) : (seqs.get(event) as number)
  const inserted = fillings.map((filling) => filling.row(seqOf(filling), seqOf))
  const ranges = [...composed(kept, fillings), ...claims(losses, fillings, seqs)]
  const map = new SeqMap(
    ranges.toSorted((a, b) => a.first - b.first),
    new Map([...standIns].map(([lost, event]) => [lost, seqOf(event)])),
  )
  const patches = new Map<number, readonly RowPatch[]>()
  for (const [dense, content] of orphans) {
    const seq = storedSeq(kept, dense)
    const id = repairedMessageId(sessionId, openings.of(dense) ?? dense)
    if (seq !== undefined)
      patches.set(seq, [{ kind: 'result-note', id, source: noteSource(dialect), content }])
  }
  return {
    edits: { names: moved(map), inserted, patches },
    steps: steps(losses, fillings, inserted),
    patches,
    openings,
  }
}

/** The seq of an event before its gaps were closed. */
function storedSeq(kept: readonly MovedRange[], dense: number): number | undefined {
  const range = kept.find(({ first, end, shift }) => first + shift <= dense && dense < end + shift)
  return range && dense - range.shift
}

/** The kept ranges, each divided where events are put in. */
function composed(kept: readonly MovedRange[], fillings: readonly Filling[]): readonly MovedRange[] {
  const ranges: MovedRange[] = []
  let next = 0
  for (const { first, end, shift } of kept) {
    let from = first
    while (next < fillings.length && (fillings[next] as Filling).before < end + shift) {
      const until = Math.max(from, (fillings[next] as Filling).before - shift)
      if (until > from) ranges.push({ first: from, end: until, shift: shift + next })
      from = until
      next++
    }
    if (end > from) ranges.push({ first: from, end, shift: shift + next })
  }
  return ranges
}

/** Lost seqs that are those of events that were put in: all of them where a gap is filled, or as another event says. */
function claims(
  losses: readonly GapLoss[],
  fillings: readonly Filling[],
  seqs: ReadonlyMap<Filling, number>,
): readonly MovedRange[] {
  return losses.flatMap(({ before, first, end }) => {
    const own = fillings.filter((filling) => filling.before === before)
    const isFull = own.length === end - first
    const claimed = new Set<number>()
    return own.flatMap((filling, index) => {
      const seq = isFull ? first + index : filling.claimed
      if (seq === undefined || claimed.has(seq) || seq < first || seq >= end) return []
      claimed.add(seq)
      return [{ first: seq, end: seq + 1, shift: (seqs.get(filling) as number) - seq }]
    })
  })
}

function steps(
  losses: readonly GapLoss[],
  fillings: readonly Filling[],
  inserted: readonly JsonObject[],
): readonly RepairStep[] {
  const typesAt = new Map<number, string[]>()
  for (const { before, type } of fillings) typesAt.set(before, [...(typesAt.get(before) ?? []), type])
  const filled = losses.map(({ before, first, end }) => {
    const types = typesAt.get(before) ?? []
    typesAt.delete(before)
    const places = { finding: 'order/seq-gap', seqs: [first], count: end - first } as const
    const range = { first, last: end - 1 }
    return types.length === 0
      ? step('close-gap', range, places)
      : step('fill-gap', { ...range, types }, places)
  })
  const others = [...typesAt.values()].flat()
  if (others.length === 0) return filled
  const seqs = inserted.flatMap(({ seq, type }) =>
    others.includes(String(type)) && typeof seq === 'number' ? [seq] : [],
  )
  const places = { finding: 'relation/step-outside', seqs, count: others.length } as const
  return [...filled, step('insert-brackets', { types: others }, places)]
}

/** The gaps by the dense number of the event after each. */
export function denseGaps(gaps: readonly LostRange[], places: SeqMap): ReadonlyMap<number, LostRange> {
  return new Map(
    gaps.flatMap((gap): [number, LostRange][] => {
      const before = places.of(gap.end)
      return before === undefined ? [] : [[before, gap]]
    }),
  )
}
