/** What to do about a rule in one log, which decides more than the rule can know. */
import { type FindingCode, ruleOf } from './rules.ts'

/** @param opens - whether DSH opens the log: what it repairs by itself, it repairs only then. */
export function fixIn(code: FindingCode, opens: boolean): string {
  const { fix, mendedOnResume } = ruleOf(code)
  return mendedOnResume === true && !opens ? AFTER_THE_REST : fix
}

const AFTER_THE_REST =
  'DSH repairs this by itself once the log opens, and a repair of the log includes it. Run "resurface repair LOG" to see the plan.'
