/**
 * Which elements of two lists are the same, in order: the common ends first, then whatever is small exactly, and else
 * patience: elements that both hold once are anchors, their longest rising chain stays, and what is between them is
 * aligned the same way. Where elements repeat so much that anchors say little, the first occurrence of an element is taken
 * for the first one, the second for the second. So every answer is an alignment, most are a longest one, and the time is
 * that of a few sortings whatever the lists hold.
 */

/** `length` elements from `a` on in the first list, and from `b` on in the second, are the same. */
export interface CommonRun {
  readonly a: number
  readonly b: number
  readonly length: number
}

/** Levels of anchors between anchors; each one costs another look at the elements. */
const MOST_LEVELS = 24
/** Pairs of elements that an exact alignment may look at. */
const MOST_PAIRS = 1 << 16
/** Anchors are too few when occurrences in turn would match this many times as much. */
const FEW = 4

interface Part {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
  readonly level: number
}

/**
 * @param a - elements as numbers from 0 on, without large holes.
 * @returns the runs in rising order; no two of them touch in both lists.
 */
export function alignSequences(a: ArrayLike<number>, b: ArrayLike<number>): readonly CommonRun[] {
  const found: CommonRun[] = []
  const occurrences = new Occurrences(1 + Math.max(highest(a), highest(b)))
  const parts: Part[] = [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length, level: 0 }]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const inner = withoutCommonEnds(a, b, part, found)
    const { fromA, toA, fromB, toB, level } = inner
    if (fromA === toA || fromB === toB) continue
    if ((toA - fromA) * (toB - fromB) <= MOST_PAIRS) {
      for (const run of longestCommon(a, b, inner)) found.push(run)
      continue
    }
    const anchors = occurrences.anchors(a, b, inner)
    const inTurn = occurrences.inTurn(a, b, inner)
    const runs = FEW * sum(anchors) < sum(inTurn) ? inTurn : anchors
    for (const run of runs) found.push(run)
    if (level < MOST_LEVELS && runs.length > 0) for (const gap of between(runs, inner)) parts.push(gap)
  }
  return merged(found.sort((one, other) => one.a - other.a))
}

function sum(runs: readonly CommonRun[]): number {
  return runs.reduce((total, { length }) => total + length, 0)
}

function highest(list: ArrayLike<number>): number {
  let most = -1
  for (let index = 0; index < list.length; index++) most = Math.max(most, list[index] as number)
  return most
}

function withoutCommonEnds(a: ArrayLike<number>, b: ArrayLike<number>, part: Part, found: CommonRun[]): Part {
  let { fromA, toA, fromB, toB } = part
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) {
    fromA++
    fromB++
  }
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) {
    toA--
    toB--
  }
  if (fromA > part.fromA) found.push({ a: part.fromA, b: part.fromB, length: fromA - part.fromA })
  if (toA < part.toA) found.push({ a: toA, b: toB, length: part.toA - toA })
  return { fromA, toA, fromB, toB, level: part.level }
}

function between(anchors: readonly CommonRun[], { fromA, toA, fromB, toB, level }: Part): readonly Part[] {
  const parts: Part[] = []
  let [nextA, nextB] = [fromA, fromB]
  for (const { a, b, length } of [...anchors, { a: toA, b: toB, length: 0 }]) {
    if (a > nextA && b > nextB) parts.push({ fromA: nextA, toA: a, fromB: nextB, toB: b, level: level + 1 })
    nextA = a + length
    nextB = b + length
  }
  return parts
}

const NONE = -1
const SEVERAL = -2

/** Where the elements of a part are. The tables are made once, and cleaned of what a part has put into them. */
class Occurrences {
  readonly #inA: Int32Array
  readonly #inB: Int32Array

  /** @param kinds - number of different elements. */
  constructor(kinds: number) {
    this.#inA = new Int32Array(kinds).fill(NONE)
    this.#inB = new Int32Array(kinds).fill(NONE)
  }

  /** The longest rising chain of the elements that both sides hold exactly once. */
  anchors(a: ArrayLike<number>, b: ArrayLike<number>, part: Part): readonly CommonRun[] {
    const { fromA, toA, fromB, toB } = part
    for (let i = fromA; i < toA; i++) note(this.#inA, a[i] as number, i)
    for (let j = fromB; j < toB; j++) note(this.#inB, b[j] as number, j)
    const indexes = new Int32Array(toA - fromA).fill(NONE)
    for (let i = fromA; i < toA; i++) {
      const index = this.#inB[a[i] as number] as number
      if ((this.#inA[a[i] as number] as number) >= 0 && index >= 0) indexes[i - fromA] = index
    }
    this.#clean(a, b, part)
    return risingChain(indexes, fromA)
  }

  /** The longest rising chain when occurrences are taken for each other in turn. */
  inTurn(a: ArrayLike<number>, b: ArrayLike<number>, part: Part): readonly CommonRun[] {
    const { fromA, toA, fromB, toB } = part
    const later = new Int32Array(toB - fromB)
    for (let j = toB - 1; j >= fromB; j--) {
      later[j - fromB] = this.#inB[b[j] as number] as number
      this.#inB[b[j] as number] = j
    }
    const indexes = new Int32Array(toA - fromA).fill(NONE)
    for (let i = fromA; i < toA; i++) {
      const index = this.#inB[a[i] as number] as number
      if (index === NONE) continue
      indexes[i - fromA] = index
      this.#inB[a[i] as number] = later[index - fromB] as number
    }
    this.#clean(a, b, part)
    return risingChain(indexes, fromA)
  }

  #clean(a: ArrayLike<number>, b: ArrayLike<number>, { fromA, toA, fromB, toB }: Part): void {
    for (let i = fromA; i < toA; i++) this.#inA[a[i] as number] = NONE
    for (let j = fromB; j < toB; j++) this.#inB[b[j] as number] = NONE
  }
}

function note(indexes: Int32Array, kind: number, index: number): void {
  indexes[kind] = indexes[kind] === NONE ? index : SEVERAL
}

/** @param indexes - for every element of the first list its index in the second, or {@link NONE}. */
function risingChain(indexes: Int32Array, fromA: number): readonly CommonRun[] {
  /** For every length of a chain the element that ends the best one. */
  const ends = new Int32Array(indexes.length)
  const previous = new Int32Array(indexes.length)
  let longest = 0
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i] as number
    if (index === NONE) continue
    let low = 0
    let high = longest
    while (low < high) {
      const middle = (low + high) >> 1
      if ((indexes[ends[middle] as number] as number) < index) low = middle + 1
      else high = middle
    }
    previous[i] = low === 0 ? NONE : (ends[low - 1] as number)
    ends[low] = i
    if (low === longest) longest++
  }
  const chain: CommonRun[] = []
  let end = longest === 0 ? NONE : (ends[longest - 1] as number)
  while (end !== NONE) {
    let start = end
    let before = previous[start] as number
    while (before !== NONE && before === start - 1 && indexes[before] === (indexes[start] as number) - 1) {
      start = before
      before = previous[start] as number
    }
    chain.push({ a: fromA + start, b: indexes[start] as number, length: end - start + 1 })
    end = before
  }
  return chain.reverse()
}

/** A longest common subsequence, by looking at all pairs. */
function longestCommon(a: ArrayLike<number>, b: ArrayLike<number>, part: Part): readonly CommonRun[] {
  const { fromA, toA, fromB, toB } = part
  const width = toB - fromB + 1
  const lengths = new Uint16Array((toA - fromA + 1) * width)
  for (let i = toA - fromA - 1; i >= 0; i--) {
    for (let j = toB - fromB - 1; j >= 0; j--) {
      const below = (i + 1) * width + j
      lengths[i * width + j] =
        a[fromA + i] === b[fromB + j]
          ? (lengths[below + 1] as number) + 1
          : Math.max(lengths[below] as number, lengths[below - width + 1] as number)
    }
  }
  const runs: CommonRun[] = []
  let i = 0
  let j = 0
  while (fromA + i < toA && fromB + j < toB) {
    const at = i * width + j
    if (a[fromA + i] === b[fromB + j]) runs.push({ a: fromA + i++, b: fromB + j++, length: 1 })
    else if ((lengths[at + width] as number) >= (lengths[at + 1] as number)) i++
    else j++
  }
  return runs
}

function merged(runs: readonly CommonRun[]): readonly CommonRun[] {
  const whole: CommonRun[] = []
  for (const run of runs) {
    const last = whole.at(-1)
    if (last !== undefined && last.a + last.length === run.a && last.b + last.length === run.b) {
      whole[whole.length - 1] = { a: last.a, b: last.b, length: last.length + run.length }
    } else whole.push(run)
  }
  return whole
}
