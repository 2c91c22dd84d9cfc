/**
 * Runs of rows with the seqs that they should have and in the order that they should have, before anything clashes: a
 * row whose number does not fit where it is gets the one that is due there, and rows that are out of their place
 * although no other row has their seqs are moved to it.
 */
/** Rows that stand one after the other in the file and whose seqs follow on. */
export interface Run {
  /** Positions of its first and last record in the file. */
  readonly firstRecord: number
  lastRecord: number
  /** Seq of its first row; `undefined` for a row without a usable one, which is a run of its own. */
  readonly first: number | undefined
  /** Number of rows, counting the members of packed ones. */
  rows: number
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

/** @returns nothing when more would have to be moved than can be held. */
export function placeRuns(runs: readonly Run[]): readonly PlacedRun[] | undefined {
  const strays = outOfPlace(runs.map((run) => ({ run, first: run.first, isNumbered: false, isMoved: false })))
  const numbered = withNumbers(runs, new Set(strays.map(({ run }) => run)))
  const moved = outOfPlace(numbered)
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

/** Runs that share no seq with another one, and that have to be moved for the seqs to rise. */
function outOfPlace(placed: readonly PlacedRun[]): readonly PlacedRun[] {
  const lonely = withoutOverlap(placed)
  const staying = longestRising(placed.filter((one) => lonely.has(one)))
  return placed.filter((one) => lonely.has(one) && !staying.has(one))
}

/**
 * Gives rows the number that is due where they are, when the rows after them go on from there.
 * @param strays - runs that are out of their place; they say nothing about the rows around them.
 */
function withNumbers(runs: readonly Run[], strays: ReadonlySet<Run>): readonly PlacedRun[] {
  const taken = new SeqIndex(runs)
  const following = firstStaying(runs, strays)
  const placed: PlacedRun[] = []
  let due = 0
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index] as Run
    const odd = oddRuns(runs, index, due)
    const rows = odd.reduce((sum, { rows }) => sum + rows, 0)
    const next = following[index + odd.length]
    const isNumberless = odd.every(({ first }) => first === undefined)
    // A row without a number may come before a gap as well; one with a wrong number has to fit exactly.
    const goesOn = isNumberless
      ? next?.first === undefined || next.first >= due + rows
      : next?.first === due + rows
    if (odd.length > 0 && goesOn && !taken.hasOther(due, due + rows, odd)) {
      for (const one of odd) {
        placed.push({ run: one, first: due, isNumbered: true, isMoved: false })
        due += one.rows
      }
      index += odd.length - 1
      continue
    }
    placed.push({ run, first: run.first, isNumbered: false, isMoved: false })
    if (run.first !== undefined && !strays.has(run)) due = Math.max(due, run.first + run.rows)
  }
  return placed
}

/** From each position on, the first run that stays in its place. */
function firstStaying(runs: readonly Run[], strays: ReadonlySet<Run>): readonly (Run | undefined)[] {
  const found: (Run | undefined)[] = []
  let staying: Run | undefined
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index] as Run
    if (!strays.has(run)) staying = run
    found[index] = staying
  }
  return found
}

/** Records one after the other whose numbers do not fit: any number of them without one, or a single one with a wrong one. */
function oddRuns(runs: readonly Run[], from: number, due: number): readonly Run[] {
  const first = runs[from] as Run
  if (first.first === due) return []
  if (first.first !== undefined) return first.firstRecord === first.lastRecord ? [first] : []
  const odd: Run[] = []
  for (let index = from; index < runs.length && (runs[index] as Run).first === undefined; index++)
    odd.push(runs[index] as Run)
  return odd
}

/** Which runs have which seqs. */
class SeqIndex {
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
    let low = 0
    let high = this.#inOrder.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (((this.#inOrder[middle] as Run).first as number) < end) low = middle + 1
      else high = middle
    }
    for (let index = low - 1; index >= 0 && (this.#ends[index] as number) > first; index--) {
      const run = this.#inOrder[index] as Run
      if ((run.first as number) + run.rows > first && !own.includes(run)) return true
    }
    return false
  }
}

function firstOf({ first }: PlacedRun): number {
  return first as number
}

function withoutOverlap(placed: readonly PlacedRun[]): ReadonlySet<PlacedRun> {
  const inOrder = placed
    .filter(({ first }) => first !== undefined)
    .toSorted((a, b) => firstOf(a) - firstOf(b))
  const lonely = new Set<PlacedRun>()
  let end = 0
  for (const [index, one] of inOrder.entries()) {
    const next = inOrder[index + 1]
    const own = firstOf(one) + one.run.rows
    if (firstOf(one) >= end && (next === undefined || own <= firstOf(next))) lonely.add(one)
    end = Math.max(end, own)
  }
  return lonely
}

/** The most runs that can stay where they are. */
function longestRising(placed: readonly PlacedRun[]): ReadonlySet<PlacedRun> {
  /** By length, the run with the lowest seq that ends a rising row of that length. */
  const ends: number[] = []
  const before: number[] = []
  for (const [index, one] of placed.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (firstOf(placed[ends[middle] as number] as PlacedRun) < firstOf(one)) low = middle + 1
      else high = middle
    }
    before[index] = low === 0 ? -1 : (ends[low - 1] as number)
    ends[low] = index
  }
  const staying = new Set<PlacedRun>()
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] as number)
    staying.add(placed[index] as PlacedRun)
  return staying
}
