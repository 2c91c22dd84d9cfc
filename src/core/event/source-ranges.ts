/**
 * Source lists as they are stored: a member may be a pair `[a, b]` that stands for a…b, both inclusive (format.md
 * §2.3, written from 0.1.2 on). With a pair in it the expanded list must rise; without one any order is legal.
 */
import { isCount } from './json-value.ts'

export type SourceList =
  | { readonly kind: 'list'; readonly seqs: readonly number[] }
  | { readonly kind: 'invalid'; readonly problem: string }

/** Expands and checks a stored list of sources of the event `seq`. */
export function readSources(stored: unknown, seq: number): SourceList {
  if (!Array.isArray(stored)) return invalid('it is not a list')
  const seqs: number[] = []
  let hasRange = false
  for (const item of stored as unknown[]) {
    const isPair = Array.isArray(item)
    const [first, last] = isPair ? (item as unknown[]) : [item, item]
    if (!isSeq(first) || !isSeq(last) || (isPair && item.length !== 2))
      return invalid('it holds something that is no seq')
    if (first > last || last >= seq) return invalid('it names an event that is not earlier')
    hasRange ||= isPair
    for (let source = first; source <= last; source++) seqs.push(source)
  }
  if (hasRange && seqs.some((source, index) => index > 0 && source <= (seqs[index - 1] as number))) {
    return invalid('it has a range and does not rise')
  }
  if (new Set(seqs).size !== seqs.length) return invalid('it names an event twice')
  return { kind: 'list', seqs }
}

/** Whether a stored list uses ranges, which older builds of format 0 do not know. */
export function hasRanges(stored: unknown): boolean {
  return Array.isArray(stored) && stored.some(Array.isArray)
}

function isSeq(value: unknown): value is number {
  return isCount(value) && !Object.is(value, -0)
}

function invalid(problem: string): SourceList {
  return { kind: 'invalid', problem: `sourceEventSeqs: ${problem}` }
}
