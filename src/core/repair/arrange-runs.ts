/**
 * A log whose numbering breaks, as runs of rows that follow on from one another, and what becomes of each run: which
 * branch of a clash lives on, what moves up where events are missing, which row merely carries a wrong number. Nothing
 * is dropped because a break comes before it.
 */
import type { Stretch } from './seq-map.ts'

/** Rows that stand one after the other in the file and whose seqs follow on. */
export interface Run {
  /** Positions of its first and last record in the file. */
  readonly firstPlace: number
  lastPlace: number
  /** Seq of its first row; `undefined` for a row without a usable one, which is a run of its own. */
  readonly first: number | undefined
  /** Number of rows, counting the members of packed ones. */
  rows: number
}

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
export type Keep = 'living' | 'first' | 'last' | 'longest'

/** What becomes of a run: its rows from seq `from` up to `until` are kept and move by `shift`; an empty span drops it. */
export interface RunFate {
  readonly run: Run
  from: number
  until: number
  shift: number
  /** Why rows of it are dropped. */
  why?: ClashKind | 'unnumbered'
  /** Seq that its single row should have carried. */
  readonly movedTo?: number
  /** Number of the branch that the dropped rows belong to, where two writers went on from one event. */
  branch?: number
}

export interface Gap {
  /** First missing seq, and the seq behind the last. */
  readonly first: number
  readonly end: number
}

export interface Arrangement {
  /** One for each run, in the order of the file. */
  readonly fates: readonly RunFate[]
  readonly gaps: readonly Gap[]
  /** What is kept, for whoever renames references. */
  readonly stretches: readonly Stretch[]
}

export async function arrangeRuns(
  runs: readonly Run[],
  keep: Keep,
  explain: (overlap: Overlap) => Promise<ClashKind>,
): Promise<Arrangement> {
  const fates: RunFate[] = []
  let expected = 0
  let branches = 0
  for (const [index, run] of runs.entries()) {
    const { first } = run
    const isStray = run.rows === 1 && first !== expected && runs[index + 1]?.first === expected + 1
    if (isStray) fates.push({ run, from: expected, until: expected + 1, shift: 0, movedTo: expected })
    else if (first === undefined) fates.push({ run, from: 0, until: 0, shift: 0, why: 'unnumbered' })
    else if (first >= expected) fates.push({ run, from: first, until: first + run.rows, shift: 0 })
    else {
      const last = Math.min(first + run.rows, expected) - 1
      const kind = await explain({ run, first, last, expected })
      const branch = kind === 'two-writers' ? ++branches : undefined
      settle(fates, run, first, expected, { kind, ...(branch !== undefined && { branch }) }, keep)
    }
    expected = dueAfter(fates)
  }
  return closeGaps(fates)
}

/** The seq that follows on from the last row that is kept. */
function dueAfter(fates: readonly RunFate[]): number {
  return fates.findLast(({ from, until }) => until > from)?.until ?? 0
}

/** Decides a clash, and takes what loses it out of the fates. */
function settle(
  fates: RunFate[],
  run: Run,
  first: number,
  expected: number,
  clash: { readonly kind: ClashKind; readonly branch?: number },
  keep: Keep,
): void {
  const { kind, ...branch } = clash
  const end = first + run.rows
  if (laterStays(kind, keep, end - first, expected - first)) {
    for (let index = fates.length - 1; index >= 0; index--) {
      const fate = fates[index] as RunFate
      if (fate.until <= first) break
      fate.until = Math.max(first, fate.from)
      Object.assign(fate, { why: kind, ...branch })
    }
    fates.push({ run, from: first, until: end, shift: 0 })
    return
  }
  // A copy, or the closers of a stale recovery, may be followed by new rows that go on from either branch.
  const goesOn = end > expected && (kind === 'identical' || kind === 'late-closers')
  fates.push({ run, from: goesOn ? expected : end, until: end, shift: 0, why: kind, ...branch })
}

/** @param later - rows of the later branch. @param earlier - rows of the earlier one from the clash on. */
function laterStays(kind: ClashKind, keep: Keep, later: number, earlier: number): boolean {
  if (kind === 'identical' || kind === 'late-closers') return false
  if (kind === 'closers') return true
  if (kind === 'packed-overlap') return later >= earlier
  if (keep === 'first') return false
  if (keep === 'last') return true
  if (keep === 'longest') return later > earlier
  // A branch that never caught up was left behind: the earlier one lived on.
  return later >= earlier
}

/** The log of a branch that did not live on: what both have in common, and what its writer went on with. */
export function branchOf({ fates }: Arrangement, branch: number): Arrangement {
  const firsts = fates.flatMap((fate) => (fate.branch === branch ? [droppedFrom(fate)] : []))
  const fork = Math.min(...firsts)
  return closeGaps(
    fates.map((fate) => {
      const { run, from, until } = fate
      if (fate.branch !== branch) return { ...fate, until: Math.max(from, Math.min(until, fork)) }
      return { run, from: Math.min(from, droppedFrom(fate)), until: (run.first ?? 0) + run.rows, shift: 0 }
    }),
  )
}

export function branchCount({ fates }: Arrangement): number {
  return Math.max(0, ...fates.map(({ branch }) => branch ?? 0))
}

/** First seq of the rows that were dropped. */
function droppedFrom({ run, from, until }: RunFate): number {
  return from === until ? Math.max(run.first ?? 0, 0) : until
}

function closeGaps(fates: readonly RunFate[]): Arrangement {
  const gaps: Gap[] = []
  const stretches: Stretch[] = []
  let due = 0
  let next = 0
  for (const fate of fates) {
    const { from, until } = fate
    if (from === until) continue
    if (from > due) gaps.push({ first: due, end: from })
    fate.shift = next - from
    stretches.push({ first: from, end: until, shift: fate.shift })
    due = until
    next += until - from
  }
  return { fates, gaps, stretches }
}
