/**
 * Which event of one log is which of another. Events with the same content are the same event: in the same order, or moved.
 * What is in the gap between two of them on both sides, with the same type and where the number says it should be, is
 * one event that was changed. All of it is done on numbers, so a million events take a few typed arrays.
 */
import { type MovedRange, SeqMap } from '../repair/seq-map.ts'
import { alignSequences } from './align-sequences.ts'

/** The events of a log, in order, as numbers. */
export interface EventList {
  readonly seqs: Float64Array
  /** What each says without any seq; the same number in two lists means the same content. */
  readonly contents: Int32Array
  /** The same with the seqs of other events that it names; equal to its content when it names none. */
  readonly exact: Int32Array
  /** Its type; the same number in two lists means the same type. */
  readonly types: Int32Array
}

export interface EventMatch {
  /** For every event of the first log the position of the same event in the second; {@link GONE} when it has none. */
  readonly partners: Int32Array
  /** The same the other way round. */
  readonly origins: Int32Array
  /** For every event of the first log what it is. */
  readonly fates: Uint8Array
}

export const GONE = -1

/** What can be said of an event of the first log. */
export const FATE = { removed: 0, same: 1, changed: 2, moved: 3 } as const

export function matchEvents(a: EventList, b: EventList): EventMatch {
  const match = {
    partners: new Int32Array(a.seqs.length).fill(GONE),
    origins: new Int32Array(b.seqs.length).fill(GONE),
    fates: new Uint8Array(a.seqs.length),
  }
  const pair = (i: number, j: number, fate: number): void => {
    match.partners[i] = j
    match.origins[j] = i
    match.fates[i] = fate
  }
  const runs = alignSequences(a.contents, b.contents)
  for (const run of runs) for (let at = 0; at < run.length; at++) pair(run.a + at, run.b + at, FATE.same)
  pairMoved(a, b, match, pair)
  let [fromA, fromB, shift] = [0, 0, 0]
  for (const run of [...runs, { a: a.seqs.length, b: b.seqs.length, length: 0 }]) {
    const next = run.length > 0 ? (b.seqs[run.b] as number) - (a.seqs[run.a] as number) : shift
    const shifts = [shift, next, 0]
    pairChanged(a, b, { fromA, toA: run.a, fromB, toB: run.b, shifts }, match, pair)
    fromA = run.a + run.length
    fromB = run.b + run.length
    if (run.length > 0) shift = (b.seqs[fromB - 1] as number) - (a.seqs[fromA - 1] as number)
  }
  return match
}

type Pair = (i: number, j: number, fate: number) => void

/** The same content on both sides, but elsewhere: the first occurrence is taken for the first one. */
function pairMoved(a: EventList, b: EventList, { partners, origins }: EventMatch, pair: Pair): void {
  const kinds = 1 + b.contents.reduce((most, content) => Math.max(most, content), -1)
  /** Per content the first event of the second log that nothing has claimed, and after each the next one. */
  const firsts = new Int32Array(kinds).fill(GONE)
  const nexts = new Int32Array(b.seqs.length)
  for (let j = b.seqs.length - 1; j >= 0; j--) {
    if (origins[j] !== GONE) continue
    const content = b.contents[j] as number
    nexts[j] = firsts[content] as number
    firsts[content] = j
  }
  for (let i = 0; i < a.seqs.length; i++) {
    const content = a.contents[i] as number
    const first = partners[i] === GONE ? firsts[content] : undefined
    if (first === undefined || first === GONE) continue
    firsts[content] = nexts[first] as number
    pair(i, first, FATE.moved)
  }
}

interface Gap {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
  /** How far the events in front of the gap and after it have moved. */
  readonly shifts: readonly number[]
}

/** Events that kept their type and their number, or the number that the events around them lead to. */
function pairChanged(a: EventList, b: EventList, gap: Gap, match: EventMatch, pair: Pair): void {
  const { fromA, toA, fromB, toB } = gap
  if (fromA === toA || fromB === toB) return
  for (const shift of gap.shifts) {
    let found = 0
    let j = fromB
    for (let i = fromA; i < toA; i++) {
      if (match.partners[i] !== GONE) continue
      const seq = (a.seqs[i] as number) + shift
      while (j < toB && (b.seqs[j] as number) < seq) j++
      const isSame = j < toB && b.seqs[j] === seq && match.origins[j] === GONE && a.types[i] === b.types[j]
      if (!isSame) continue
      pair(i, j, FATE.changed)
      found++
    }
    // One shift for a gap, or pairs could cross.
    if (found > 0) return
  }
}

/** How the events that both logs hold were renumbered. */
export function renumbering(a: EventList, b: EventList, { partners }: EventMatch): SeqMap {
  const ranges: MovedRange[] = []
  for (let i = 0; i < partners.length; i++) {
    const j = partners[i] as number
    if (j === GONE) continue
    const seq = a.seqs[i] as number
    const shift = (b.seqs[j] as number) - seq
    const last = ranges.at(-1)
    if (last !== undefined && last.end === seq && last.shift === shift)
      ranges[ranges.length - 1] = { ...last, end: seq + 1 }
    else ranges.push({ first: seq, end: seq + 1, shift })
  }
  return new SeqMap(ranges)
}
