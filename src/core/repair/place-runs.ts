/**
 * Runs of rows with the seqs that they should have and in the order that they should have, before anything clashes. Long
 * runs that follow on from one another hold the log together; between two of them the short ones get the seqs that are
 * free there, each its own if it can be, and rows that are out of their place although no other row has their seqs are
 * moved to it.
 */
import { firstIndex } from '../json/first-index.ts'

/** Rows that stand one after the other in the file and whose seqs follow on. */
export interface Run {
  /** Positions of its first and last record in the file. */
  readonly firstRecord: number
  lastRecord: number
  /** Seq of its first row; `undefined` for a row without a usable one, which is a run of its own. */
  readonly first: number | undefined
  /** Number of rows, counting the members of packed ones. */
  rows: number
  /** Time of its first row; it tells misnumbered rows from rows out of their place. */
  readonly time?: number
}

export interface PlacedRun {
  readonly run: Run
  /** Seq of its first row; `undefined` for a row that no number fits. */
  readonly first: number | undefined
  /** Whether the row carried another number. */
  readonly isNumbered: boolean
  /** Whether it comes later or earlier in the file. */
  readonly isMoved: boolean
}

/** Most rows that are moved; they are held in memory. */
export const MOST_MOVED = 100_000
/** A run of so many records is no accident. */
const LONG = 3
/** Of more runs in a row than this none gets another number. */
const MOST_BETWEEN = 100

/** How many rows at the beginning of runs only repeat rows that come before. */
export type Copies = ReadonlyMap<Run, number>

/** @returns nothing when more would have to be moved than can be held. */
export function placeRuns(
  runs: readonly Run[],
  copies: Copies = new Map(),
): readonly PlacedRun[] | undefined {
  const own = new Map(runs.map((run) => [run, withoutCopies(run, copies.get(run) ?? 0)]))
  const numbers = newNumbers(
    [...own.values()].filter(({ rows }) => rows > 0),
    new Set(own.keys()),
  )
  const numbered = runs.map((run): PlacedRun => {
    const first = numbers.get(run)
    return { run, first: first ?? run.first, isNumbered: first !== undefined, isMoved: false }
  })
  const moved = outOfPlace(numbered, copies)
  if (moved.length === 0) return numbered
  if (moved.reduce((sum, { run }) => sum + run.rows, 0) > MOST_MOVED) return undefined
  const gone = new Set(moved)
  const rest = numbered.filter((placed) => !gone.has(placed))
  const inOrder = moved.toSorted((a, b) => firstOf(a) - firstOf(b))
  const placed: PlacedRun[] = []
  let next = 0
  for (const one of rest) {
    const { first = 0 } = one
    while (next < inOrder.length && firstOf(inOrder[next] as PlacedRun) < first) {
      placed.push({ ...(inOrder[next] as PlacedRun), isMoved: true })
      next++
    }
    placed.push(one)
  }
  return [...placed, ...inOrder.slice(next).map((one) => ({ ...one, isMoved: true }))]
}

function withoutCopies(run: Run, copied: number): Run {
  return copied === 0 || run.first === undefined
    ? run
    : { ...run, first: run.first + copied, rows: run.rows - copied }
}

/** Runs that share no seq with another one, and that have to be moved for the seqs to rise. */
function outOfPlace(placed: readonly PlacedRun[], copies: Copies): readonly PlacedRun[] {
  const spans = placed.map(({ run, first }) => withoutCopies({ ...run, first }, copies.get(run) ?? 0))
  const lonely = new Set(withoutOverlap(spans))
  const candidates = placed.filter((_, index) => lonely.has(spans[index] as Run))
  const staying = new Set(longestRising(spans.filter((span) => lonely.has(span))))
  return candidates.filter((_, index) => !staying.has(index))
}

// Numbers ------------------------------------------------------------------------------------------------------------

/** Runs between two that hold, or before the first or after the last of those. */
interface Window {
  readonly runs: readonly Run[]
  /** The seqs that are free for them: from this one, up to that one. */
  readonly due: number
  readonly end: number
  readonly timeBefore: number | undefined
  readonly timeAfter: number | undefined
}

/**
 * Runs that get another number than they carry, or one at all.
 * @param whole - those that do not begin with copies, and may get one.
 */
function newNumbers(runs: readonly Run[], whole: ReadonlySet<Run>): Numbers {
  const chain = longestRising(runs).map((index) => runs[index] as Run)
  const holds = new Set(chain)
  const taken = new TakenSeqs(runs)
  const numbers = new Map<Run, number>()
  const place = (from: number, until: number, isAnchor: (run: Run) => boolean): void => {
    for (const window of windowsOf(runs, from, until, isAnchor)) {
      const found = numbersIn(window, holds, taken)
      const isSound = found !== undefined && [...found.keys()].every((run) => whole.has(run))
      if (isSound) for (const [run, first] of found) numbers.set(run, first)
      else if (window.runs.some((run) => holds.has(run)) && isAnchor !== held)
        place(window.from, window.from + window.runs.length, held)
    }
  }
  const held = (run: Run): boolean => holds.has(run)
  place(0, runs.length, (run) => holds.has(run) && recordsIn(run) >= LONG)
  return numbers
}

function* windowsOf(
  runs: readonly Run[],
  from: number,
  until: number,
  isAnchor: (run: Run) => boolean,
): Generator<Window & { readonly from: number }> {
  const isHeld = (index: number): boolean => {
    const run = runs[index]
    return run !== undefined && isAnchor(run)
  }
  let first = from
  for (let index = from; index <= until; index++) {
    if (index < until && !isHeld(index)) continue
    if (index > first) {
      const before = runs[first - 1]
      const after = runs[index]
      yield {
        from: first,
        runs: runs.slice(first, index),
        due: before === undefined ? 0 : endOf(before),
        end: after?.first ?? Number.POSITIVE_INFINITY,
        timeBefore: before?.time,
        timeAfter: after?.time,
      }
    }
    first = index + 1
  }
}

/**
 * The numbers of the runs of a window that need one: of the ways to give them, the one by which time runs on and least
 * has to change. Nothing when they do not fit into it.
 */
function numbersIn(window: Window, holds: ReadonlySet<Run>, taken: TakenSeqs): Numbers | undefined {
  const { runs, due, end } = window
  if (runs.length > MOST_BETWEEN) return undefined
  const known = runs.filter((run) => holds.has(run))
  const until = Number.isFinite(end) ? end : Math.max(due, ...known.slice(-1).map(endOf))
  const isExact = runs.reduce((sum, run) => sum + run.rows, 0) === until - due
  const others = runs.filter((run) => !holds.has(run))
  const ways = [
    keepingNumbers([...known, ...others], { ...window, until, isExact }, taken),
    keepingNumbers([...others.toReversed(), ...known.toReversed()], { ...window, until, isExact }, taken),
  ]
  // Rows that are all there may be in their order in the file, and several of their numbers wrong.
  if (isExact && ways[0]?.size !== 0) ways.unshift(inFileOrder(runs, due))
  else if (isExact) ways.push(inFileOrder(runs, due))
  const costs = ways.flatMap((way) => (way === undefined ? [] : [{ way, cost: costOf(way, window) }]))
  return costs.toSorted((a, b) => a.cost[0] - b.cost[0] || a.cost[1] - b.cost[1])[0]?.way
}

type Numbers = ReadonlyMap<Run, number>

interface Room extends Window {
  /** Where the seqs end that are known to be free. */
  readonly until: number
  /** Whether the rows are as many as the seqs. */
  readonly isExact: boolean
}

/** @param preferred - the runs in the order in which they keep the number that they carry, if no other has it. */
function keepingNumbers(preferred: readonly Run[], room: Room, taken: TakenSeqs): Numbers | undefined {
  const { runs, due, end, until, isExact } = room
  const numbers = new Map<Run, number>()
  const given = new Map<Run, number>()
  const isFree = (first: number, size: number): boolean =>
    first + size <= end &&
    !taken.hasOther(first, first + size, runs) &&
    [...given].every(([other, own]) => first + size <= own || first >= own + other.rows)
  for (const run of preferred) {
    const { first, rows } = run
    const fits = first !== undefined && first >= due && first + rows <= until && isFree(first, rows)
    if (fits) given.set(run, first)
  }
  let next = due
  for (const run of runs) {
    const kept = given.get(run)
    if (kept !== undefined) {
      next = Math.max(next, kept + run.rows)
      continue
    }
    // Where there is room to spare, a run that carries a number may be the branch of another writer.
    if (!isExact && run.first !== undefined && (run.firstRecord !== run.lastRecord || !Number.isFinite(end)))
      return undefined
    const behind = Number.isFinite(end) ? until : Math.max(until, next + 1)
    const first = firstFree(next, behind, run.rows, isFree) ?? firstFree(due, until, run.rows, isFree)
    if (first === undefined) return undefined
    numbers.set(run, first)
    given.set(run, first)
    next = first + run.rows
  }
  return numbers
}

function firstFree(
  from: number,
  until: number,
  size: number,
  isFree: (first: number, size: number) => boolean,
): number | undefined {
  for (let first = from; first < until && first < from + MOST_TRIED; first++)
    if (isFree(first, size)) return first
  return undefined
}

/** Seqs of a window that are tried for one run. */
const MOST_TRIED = 1000

/** Runs in the order of the file, one after the other. */
function inFileOrder(runs: readonly Run[], due: number): Numbers {
  const numbers = new Map<Run, number>()
  let next = due
  for (const run of runs) {
    if (run.first !== next) numbers.set(run, next)
    next += run.rows
  }
  return numbers
}

/** How often time would run backwards, and how many rows get another number or place. */
function costOf(
  numbers: Numbers,
  { runs, timeBefore, timeAfter }: Window,
): readonly [late: number, changed: number] {
  const placed = runs.map((run) => ({ ...run, first: numbers.get(run) ?? run.first }))
  const inOrder = placed.toSorted((a, b) => (a.first as number) - (b.first as number))
  const times = [timeBefore, ...inOrder.map(({ time }) => time), timeAfter].filter(
    (time) => time !== undefined,
  )
  const late = times.filter((time, index) => time < (times[index - 1] ?? time)).length
  return [late, numbers.size + runs.length - longestRising(placed).length]
}

function recordsIn({ firstRecord, lastRecord }: Run): number {
  return lastRecord - firstRecord + 1
}

function endOf({ first, rows }: Pick<Run, 'first' | 'rows'>): number {
  return (first ?? 0) + rows
}

/** Which runs have which seqs. */
class TakenSeqs {
  readonly #inOrder: readonly Run[]
  /** Largest end of the runs up to each one. */
  readonly #ends: readonly number[]

  constructor(runs: readonly Run[]) {
    this.#inOrder = runs
      .filter(({ first }) => first !== undefined)
      .toSorted((a, b) => (a.first as number) - (b.first as number))
    let end = 0
    this.#ends = this.#inOrder.map(({ first, rows }) => {
      end = Math.max(end, (first as number) + rows)
      return end
    })
  }

  /** Whether another run has one of these seqs. */
  hasOther(first: number, end: number, own: readonly Run[]): boolean {
    const after = firstIndex(
      this.#inOrder.length,
      (index) => ((this.#inOrder[index] as Run).first as number) < end,
    )
    for (let index = after - 1; index >= 0 && (this.#ends[index] as number) > first; index--) {
      const run = this.#inOrder[index] as Run
      if ((run.first as number) + run.rows > first && !own.includes(run)) return true
    }
    return false
  }
}

function firstOf({ first }: PlacedRun): number {
  return first as number
}

/** Whether any two runs share a seq. */
export function haveClashes(runs: readonly Run[]): boolean {
  return withoutOverlap(runs).length < runs.filter(({ first }) => first !== undefined).length
}

/** The runs that share no seq with another one. */
function withoutOverlap(runs: readonly Run[]): readonly Run[] {
  const inOrder = runs
    .filter(({ first, rows }) => first !== undefined && rows > 0)
    .toSorted((a, b) => (a.first as number) - (b.first as number))
  let end = 0
  return inOrder.filter((run, index) => {
    const next = inOrder[index + 1]
    const isLonely =
      (run.first as number) >= end && (next === undefined || endOf(run) <= (next.first as number))
    end = Math.max(end, endOf(run))
    return isLonely
  })
}

/** The runs, by their positions, that keep most records where they are while the seqs rise; of equal ones those that end lower. */
function longestRising(runs: readonly Run[]): readonly number[] {
  const ends = [...new Set(runs.flatMap(({ first, rows }) => (first === undefined ? [] : first + rows)))]
  ends.sort((a, b) => a - b)
  /** By the rank of an end, in the way of a Fenwick tree: the run that most rows lead up to. */
  const best = new Int32Array(ends.length + 1).fill(-1)
  const kept = new Float64Array(runs.length)
  const before = new Int32Array(runs.length)
  const end = (index: number): number => endOf(runs[index] as Run)
  const better = (one: number, other: number): boolean => {
    if (one === -1 || other === -1) return one !== -1
    const more = (kept[one] as number) - (kept[other] as number)
    return more > 0 || (more === 0 && end(one) < end(other))
  }
  for (const [index, { first, rows }] of runs.entries()) {
    if (first === undefined) continue
    let leading = -1
    for (let rank = atMost(ends, first); rank > 0; rank -= rank & -rank)
      if (better(best[rank] as number, leading)) leading = best[rank] as number
    before[index] = leading
    kept[index] = recordsIn(runs[index] as Run) + (leading === -1 ? 0 : (kept[leading] as number))
    for (let rank = atMost(ends, first + rows); rank <= ends.length; rank += rank & -rank)
      if (better(index, best[rank] as number)) best[rank] = index
  }
  let last = -1
  for (const [index, { first }] of runs.entries())
    if (first !== undefined && better(index, last)) last = index
  const chain: number[] = []
  for (let index = last; index !== -1; index = before[index] as number) chain.push(index)
  return chain.reverse()
}

/** How many of the rising numbers are at most this one. */
function atMost(numbers: readonly number[], most: number): number {
  return firstIndex(numbers.length, (index) => (numbers[index] as number) <= most)
}
