/**
 * A log whose numbering breaks, as runs of rows that follow on from one another, and what becomes of each run: which
 * branch of a clash lives on, what moves up where events are missing, which row merely carries a wrong number. Nothing
 * is dropped because a break comes before it.
 */
import { type Copies, type PlacedRun, placeRuns, type Run } from './place-runs.ts'
import type { MovedRange } from './seq-map.ts'

export type { Run }

export type ClashKind = 'identical' | 'closers' | 'late-closers' | 'packed-overlap' | 'two-writers'

/** Seqs that are taken twice: by rows that came earlier, and by a later run. */
export interface Overlap {
  readonly run: Run
  readonly first: number
  readonly last: number
  /** Seq that was due when the run began. */
  readonly expected: number
}

/** Which of two writers stays: the one that lives on, the earlier, the later, or the one that wrote more. */
export const KEEPS = ['living', 'first', 'last', 'longest'] as const
export type Keep = (typeof KEEPS)[number]

/** What becomes of a run: its rows from seq `from` up to `until` are kept and move by `shift`; an empty span drops it. */
export interface RunPlacement {
  readonly run: Run
  from: number
  until: number
  shift: number
  /** Why rows of it are dropped. */
  why?: ClashKind | 'unnumbered'
  /** Seq that its first row should have carried. */
  readonly movedTo?: number
  /** Whether it comes in another place of the file. */
  readonly isMoved?: boolean
}

export interface Gap {
  /** First missing seq, and the seq after the last. */
  readonly first: number
  readonly end: number
}

export interface Arrangement {
  /** One for each run, in the order that they are to have. */
  readonly placements: readonly RunPlacement[]
  readonly gaps: readonly Gap[]
  /** What is kept, for anyone who renames references. */
  readonly ranges: readonly MovedRange[]
  /** Whether rows out of their place could be moved to it. */
  readonly isSorted: boolean
  /** The log as each writer left it whose branch did not live on, in the order in which they were found. */
  readonly branches: readonly Arrangement[]
}

/** More writers than this are none: what is left of the log then has no order that could be told. */
export const MOST_BRANCHES = 100

export async function arrangeRuns(
  runs: readonly Run[],
  keep: Keep,
  explain: (overlap: Overlap) => Promise<ClashKind>,
  copies: Copies = new Map(),
): Promise<Arrangement> {
  const placements: RunPlacement[] = []
  const branches: RunPlacement[][] = []
  const placed = placeRuns(runs, copies)
  let expected = 0
  for (const [index, { run, first: given, isNumbered: isGiven, isMoved }] of (placed ?? []).entries()) {
    const isLast = index === runs.length - 1
    // What comes before may have taken the number.
    const isNumbered = isGiven && given !== undefined && given >= expected
    const first = isNumbered ? given : run.first
    const moves = { ...(isNumbered && { movedTo: first }), ...(isMoved && { isMoved }) }
    if (first === undefined) placements.push(dropped(run, 'unnumbered'))
    else if (first >= expected) placements.push({ ...whole(run, first), ...moves } as RunPlacement)
    else {
      const last = Math.min(first + run.rows, expected) - 1
      const kind = await explain({ run, first, last, expected })
      // A last row that repeats the number before it is no second writer.
      if (kind === 'two-writers' && isLast && run.rows === 1 && first === expected - 1)
        placements.push({ run, from: expected, until: expected + 1, shift: 0, movedTo: expected })
      else {
        const loser = settle(placements, run, first, expected, kind, keep)
        if (loser !== undefined) branches.push(loser)
      }
      if (branches.length > MOST_BRANCHES) break
    }
    expected = dueAfter(placements)
  }
  const others = branches.map((branch) => {
    const later = (placed ?? []).slice(branch.length).map(droppedWhole)
    return closeGaps([...branch, ...later], [], true)
  })
  return closeGaps(placements, others, placed !== undefined)
}

function whole(run: Run, first: number): RunPlacement {
  return { run, from: first, until: first + run.rows, shift: 0 }
}

function dropped(run: Run, why?: RunPlacement['why']): RunPlacement {
  const from = run.first ?? 0
  return { run, from, until: from, shift: 0, ...(why !== undefined && { why }) }
}

function droppedWhole({ run, isMoved }: PlacedRun): RunPlacement {
  return { ...dropped(run), ...(isMoved && { isMoved }) }
}

/** The seq that follows on from the last row that is kept. */
function dueAfter(placements: readonly RunPlacement[]): number {
  return placements.findLast(isKept)?.until ?? 0
}

function isKept({ from, until }: RunPlacement): boolean {
  return until > from
}

/**
 * Decides a clash, and takes what loses it out of the placements.
 * @returns what the log would be if the loser had won, where two writers were at it.
 */
function settle(
  placements: RunPlacement[],
  run: Run,
  first: number,
  expected: number,
  kind: ClashKind,
  keep: Keep,
): RunPlacement[] | undefined {
  const earlier = kind === 'two-writers' ? placements.map((placement) => ({ ...placement })) : undefined
  if (laterStays(kind, keep, run.rows, expected - first)) {
    cutFrom(placements, first, kind)
    placements.push(whole(run, first))
    return earlier
  }
  const end = first + run.rows
  // A copy, or the closers of a stale recovery, may be followed by new rows that go on from either branch.
  const goesOn = end > expected && (kind === 'identical' || kind === 'late-closers')
  placements.push({ run, from: goesOn ? expected : end, until: end, shift: 0, why: kind })
  if (earlier === undefined) return undefined
  cutFrom(earlier, first, kind)
  return [...earlier, whole(run, first)]
}

/** Drops what is kept from a seq on. */
function cutFrom(placements: readonly RunPlacement[], first: number, why: ClashKind): void {
  for (let index = placements.length - 1; index >= 0; index--) {
    const placement = placements[index] as RunPlacement
    if (!isKept(placement)) continue
    if (placement.until <= first) return
    placement.until = Math.max(first, placement.from)
    placement.why = why
  }
}

/** @param later - rows of the later branch. @param earlier - rows of the earlier one from the clash on. */
export function laterStays(kind: ClashKind, keep: Keep, later: number, earlier: number): boolean {
  if (kind === 'identical' || kind === 'late-closers') return false
  if (kind === 'closers') return true
  if (kind === 'packed-overlap') return later >= earlier
  if (keep === 'first') return false
  if (keep === 'last') return true
  if (keep === 'longest') return later > earlier
  // A branch that never caught up was given up: the earlier one continued.
  return later >= earlier
}

function closeGaps(
  placements: readonly RunPlacement[],
  branches: readonly Arrangement[],
  isSorted: boolean,
): Arrangement {
  const gaps: Gap[] = []
  const ranges: MovedRange[] = []
  let due = 0
  let next = 0
  for (const placement of placements) {
    const { from, until } = placement
    if (from === until) continue
    if (from > due) gaps.push({ first: due, end: from })
    placement.shift = next - from
    ranges.push({ first: from, end: until, shift: placement.shift })
    due = until
    next += until - from
  }
  return { placements, gaps, ranges, isSorted, branches }
}
