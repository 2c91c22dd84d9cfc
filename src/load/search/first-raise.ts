/**
 * The record with which a log begins to raise a rule. A prefix of the log is judged like any log, so what counts is not
 * where the finding points but when it is there: a call without a result is found when its turn ends.
 *
 * The place of the finding is tried first. Where the rule is not raised there, or was before, the records are halved.
 * Either way the answer has been seen to raise the rule, and the record before it not to.
 */
import { type Finding, fingerprintOf } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'
import type { FindingCode } from '../../core/findings/rules.ts'
import { firstBad } from '../../core/search/first-bad.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { prefixSource, recordsOf } from './prefix-source.ts'
import { checkRule, type RuleCheck } from './rule-check.ts'

export interface FirstRaise {
  /** Records of the prefix, the header among them: the number of the record that is to be found. */
  readonly length: number
  readonly method: 'place' | 'halving'
  readonly check: RuleCheck
  /** Whether something of what is found there is still found in the whole log. */
  readonly lasts: boolean
}

export interface RaiseSearch {
  /** Absent when no record raises the rule: it is the place of the log, or what it is called, that does. */
  readonly first?: FirstRaise
  /** Replays that it took. */
  readonly checks: number
}

/** @param whole - what the whole log raises: the rule among others. */
export async function firstRaise(
  source: RecordSource,
  code: FindingCode,
  limits: ReadLimits,
  whole: RuleCheck,
): Promise<RaiseSearch> {
  const seen = new Map<number, RuleCheck>()
  async function raises(length: number): Promise<boolean> {
    // Nothing at all raises nothing: an answer is a record.
    if (length === 0) return false
    const check = seen.get(length) ?? (await checkRule(prefixSource(source, length), code, limits))
    seen.set(length, check)
    return check.own.length > 0
  }
  async function found(length: number, method: FirstRaise['method']): Promise<RaiseSearch> {
    if (!(await raises(length))) return { checks: seen.size }
    const check = seen.get(length) as RuleCheck
    return { first: { length, method, check, lasts: shareFinding(check, whole) }, checks: seen.size }
  }

  const place = whole.own[0] && (await recordAt(source, whole.own[0].origin))
  const isThere = place !== undefined && (await raises(place))
  if (isThere && !(await raises(place - 1))) return found(place, 'place')
  // It began before its place, or it will begin after it.
  const good = place === undefined || isThere ? 0 : place
  const bad = isThere ? place - 1 : await recordsOf(source)
  const turn = await firstBad(good, bad, async (length) => ((await raises(length)) ? 'bad' : 'good'))
  return found(turn.bad, 'halving')
}

function shareFinding(one: RuleCheck, other: RuleCheck): boolean {
  const printOf = (finding: Finding): string => fingerprintOf(finding, '')
  const prints = new Set(other.own.map(printOf))
  return one.own.some((finding) => prints.has(printOf(finding)))
}

/** Number of the record at a place; for a fault of the container, of the record that it is after. */
async function recordAt(source: RecordSource, origin: Origin): Promise<number | undefined> {
  const { line: known, byteOffset, row } = origin
  if (known !== undefined) return known
  if (byteOffset === undefined && row === undefined) return undefined
  let line = 1
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind === 'record') line = item.line
      if (item.origin.byteOffset === byteOffset && item.origin.row === row) return line
    }
  }
  return undefined
}
