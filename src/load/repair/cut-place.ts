/** Where a log may be cut when somebody asks for it: only where nothing is open. */
import type { CutRange } from '../../core/repair/cut-points.ts'
import type { Examined } from './examine.ts'

/** `turn`: after the end of the turn with this number. `seq`: after this event. */
export interface Boundary {
  readonly unit: 'turn' | 'seq'
  readonly number: number
}

export type CutPlace =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'cut'
      readonly after: number
      readonly events: number
    }

export function cutPlace(boundary: Boundary, { results, end, header }: Examined): CutPlace {
  const after = safePlace(boundary, results.cuts)
  if (after === undefined) return { kind: 'refused', reason: unsafe(boundary, results.cuts) }
  const seedLength = header?.seedLength ?? 0
  if (after < seedLength - 1) {
    const reason = `the first ${seedLength} events are inherited; a log cannot be cut inside them`
    return { kind: 'refused', reason }
  }
  return { kind: 'cut', after, events: (end.last?.event.seq ?? -1) - after }
}

function safePlace({ unit, number }: Boundary, ranges: readonly CutRange[]): number | undefined {
  if (unit === 'turn') return ranges.find(({ turn }) => turn === number)?.first
  return ranges.some(({ first, last }) => first <= number && number <= last) ? number : undefined
}

function unsafe({ unit, number }: Boundary, ranges: readonly CutRange[]): string {
  if (unit === 'turn') {
    const turns = ranges.flatMap(({ turn }) => turn ?? [])
    return `turn ${number} does not end in this log; ${turns.length === 0 ? 'no turn does' : `the last one that does is ${turns.at(-1)}`}`
  }
  const before = ranges.findLast(({ last }) => last < number)?.last
  const after = ranges.find(({ first }) => first > number)?.first
  const nearest = [before, after].filter((seq) => seq !== undefined).join(' and ')
  const safe = nearest === '' ? 'no position is safe' : `the nearest safe positions are after seq ${nearest}`
  return `after seq ${number} something is still open; ${safe}`
}
