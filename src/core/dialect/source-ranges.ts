/**
 * Source lists as they are stored: a member may be a pair `[a, b]` that stands for a…b, both inclusive (format.md
 * §2.3, written from 0.1.2 on). With a pair in it the expanded list must rise; without one any order is legal.
 */
import { isPlainCount } from '../json/json-value.ts'

export type SourceList =
  | { readonly kind: 'list'; readonly seqs: readonly number[] }
  | { readonly kind: 'invalid'; readonly problem: string }

/** No event cites more than this; a range that says so is not expanded. */
const MOST_SOURCES = 4_000_000

/** Expands and checks a stored list of sources of the event `seq`. */
export function readSources(stored: unknown, seq: number): SourceList {
  if (!Array.isArray(stored)) return invalid('it is not a list')
  if (isPlainlyEarlier(stored, seq)) return { kind: 'list', seqs: stored }
  const ranges: [first: number, last: number][] = []
  let hasRange = false
  let count = 0
  for (const item of stored as unknown[]) {
    const isPair = Array.isArray(item)
    const [first, last] = isPair ? (item as unknown[]) : [item, item]
    if (!isSeq(first) || !isSeq(last) || (isPair && item.length !== 2))
      return invalid('it holds something that is no seq')
    if (first > last || last >= seq) return invalid('it names an event that is not earlier')
    hasRange ||= isPair
    count += last - first + 1
    ranges.push([first, last])
  }
  if (count > MOST_SOURCES) return invalid('it names more events than any log has')
  if (
    hasRange &&
    ranges.some(([first], index) => index > 0 && first <= (ranges[index - 1] as [number, number])[1])
  ) {
    return invalid('it has a range and does not rise')
  }
  const seqs: number[] = []
  for (const [first, last] of ranges) for (let source = first; source <= last; source++) seqs.push(source)
  if (new Set(seqs).size !== seqs.length) return invalid('it names an event twice')
  return { kind: 'list', seqs }
}

/** Whether a list holds nothing but rising seqs before `seq`, as nearly every one does. */
function isPlainlyEarlier(list: readonly unknown[], seq: number): list is readonly number[] {
  if (list.length === 0) return true
  const last = list.at(-1) as number
  return isRising(list) && last < seq && !Object.is(list[0], -0) && list.length <= MOST_SOURCES
}

/** Whether a list is what writers write nearly always: plain seqs that rise. Then no two are the same. */
export function isRising(list: readonly unknown[]): boolean {
  let last = -1
  for (let index = 0; index < list.length; index++) {
    const seq = list[index]
    if (typeof seq !== 'number' || !(seq > last) || !Number.isSafeInteger(seq)) return false
    last = seq
  }
  return true
}

/** Whether a stored list uses ranges, which older builds of format 0 do not know. */
export function hasRanges(stored: unknown): boolean {
  return Array.isArray(stored) && !isRising(stored) && stored.some(Array.isArray)
}

function isSeq(value: unknown): value is number {
  return isPlainCount(value)
}

function invalid(problem: string): SourceList {
  return { kind: 'invalid', problem: `sourceEventSeqs: ${problem}` }
}
