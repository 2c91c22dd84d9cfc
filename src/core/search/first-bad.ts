/**
 * Where a row of positions turns from good to bad, by halving what lies between. Both ends are known; what cannot be
 * judged is passed over, and the answer is as narrow as the rest allows.
 */
/** `skip`: it cannot be told. */
export type Probed = 'good' | 'bad' | 'skip'

/** Everything between the two was skipped; they are neighbours when nothing was. */
export interface Turn {
  readonly good: number
  readonly bad: number
}

/**
 * A turn in `good`…`bad`, in a logarithmic number of probes where none is skipped. Whatever the positions between are
 * like, both answers have been probed or were given: only that there is no earlier turn rests on there being one alone.
 */
export async function firstBad(
  good: number,
  bad: number,
  probe: (position: number) => Promise<Probed>,
): Promise<Turn> {
  let turn: Turn = { good, bad }
  let skipped: readonly number[] = []
  for (;;) {
    const position = middleOfWidest([turn.good, ...skipped, turn.bad])
    if (position === undefined) return turn
    const probed = await probe(position)
    if (probed === 'skip') skipped = [...skipped, position].toSorted((a, b) => a - b)
    else {
      turn = { ...turn, [probed]: position }
      const { good: low, bad: high } = turn
      skipped = skipped.filter((each) => low < each && each < high)
    }
  }
}

/** So a stretch that cannot be judged is left after a few probes, not walked through. */
function middleOfWidest(tried: readonly number[]): number | undefined {
  let widest = 1
  let middle: number | undefined
  for (const [index, next] of tried.entries()) {
    const last = tried[index - 1]
    if (last === undefined || next - last <= widest) continue
    widest = next - last
    middle = last + Math.floor(widest / 2)
  }
  return middle
}
