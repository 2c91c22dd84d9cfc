/** The interestingness test of a reduction: whether a smaller log is still bad in the way that is asked for. */
import type { FindingLog } from '../../core/findings/finding-log.ts'
import type { FindingCode } from '../../core/findings/rules.ts'
import { type MemoryLine, memoryLines } from '../../storage/jsonl/memory-lines.ts'
import type { ReadLimits } from '../../storage/record-source.ts'
import { lintFor, ruleCheck } from '../search/rule-check.ts'
import { loadLog } from '../sessions/load-log.ts'

export interface InterestingnessTest {
  /** Everything that a log raises. */
  check(lines: readonly MemoryLine[]): Promise<FindingLog>
  /** Whether it is bad in the way that is asked for. Asked only where nothing new is found. */
  isBad(lines: readonly MemoryLine[], found: FindingLog): Promise<boolean>
  /** Asked before every attempt, with their number so far. */
  isTimeUp(attempts: number): boolean
}

/** The check of an {@link InterestingnessTest}, with an eye on one rule where there is one. */
export function checkOf(code: FindingCode | undefined, limits: ReadLimits): InterestingnessTest['check'] {
  return async (lines) => {
    const loaded = await loadLog(memoryLines(lines, limits), lintFor(code), { limits })
    return ruleCheck(loaded, code).findings
  }
}
