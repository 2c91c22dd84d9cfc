/**
 * The rule registry: every finding code with what is known of it. `explain`, the reports, the repairs and the exit codes
 * ask it; checks only name codes and pass evidence.
 *
 * To add a rule:
 * 1. add a row to its family in `rules/`;
 * 2. raise it in `checks/`, in the surface rules or in the reader; without the evidence of its row it does not compile;
 * 3. add a corpus case that raises it and a near miss that does not;
 * 4. run `npm run docs`, which writes the page of all rules and the example of each.
 */
import type { Passed, Rule } from './rule.ts'
import { BYTES } from './rules/bytes.ts'
import { COMPACTION, COMPACTION_EFFECT, COMPACTION_RELATION } from './rules/compactions.ts'
import { DATABASE } from './rules/database.ts'
import { FORK, FORMAT, HEADER, SEED } from './rules/header.ts'
import { INBOX } from './rules/inbox.ts'
import { MESSAGE } from './rules/messages.ts'
import { ORDER } from './rules/order.ts'
import { CALL_RELATION, PAIR } from './rules/pairs.ts'
import { COMPATIBILITY, PLUGIN } from './rules/plugin.ts'
import {
  CATALOG_RELATION,
  COMMAND_RELATION,
  DISPATCH_RELATION,
  LINEAGE_RELATION,
  RELATION,
  RETRY_RELATION,
  TITLE_RELATION,
} from './rules/relations.ts'
import { STORE } from './rules/store.ts'
import { SURFACE } from './rules/surface.ts'
import { TURN, TURN_END_STATE, TURN_RELATION } from './rules/turns.ts'
import { UPGRADE } from './rules/upgrade.ts'
import { ENVELOPE, LEGACY, SOURCES, VOCABULARY } from './rules/vocabulary.ts'

/** Every rule by its code; docs/rules.md shows them. */
export const RULES = {
  ...BYTES,
  ...STORE,
  ...DATABASE,
  ...HEADER,
  ...FORMAT,
  ...SEED,
  ...FORK,
  ...ORDER,
  ...ENVELOPE,
  ...VOCABULARY,
  ...SOURCES,
  ...LEGACY,
  ...PLUGIN,
  ...COMPATIBILITY,
  ...UPGRADE,
  ...MESSAGE,
  ...SURFACE,
  ...TURN_RELATION,
  ...RELATION,
  ...CALL_RELATION,
  ...COMPACTION_RELATION,
  ...COMMAND_RELATION,
  ...TITLE_RELATION,
  ...RETRY_RELATION,
  ...DISPATCH_RELATION,
  ...LINEAGE_RELATION,
  ...CATALOG_RELATION,
  ...PAIR,
  ...COMPACTION,
  ...COMPACTION_EFFECT,
  ...INBOX,
  ...TURN,
  ...TURN_END_STATE,
}

/** The code of a rule, such as `order/seq-gap`: it names what is judged, then what is wrong. */
export type FindingCode = keyof typeof RULES

/** The evidence that a finding of the rule has. */
export type EvidenceOf<Code extends FindingCode> = Code extends FindingCode
  ? Passed<(typeof RULES)[Code]['args']>
  : never

/** What is known of a rule. */
export function ruleOf(code: FindingCode): Rule {
  return RULES[code]
}

/** Whether a text is the code of a rule. */
export function isFindingCode(code: string): code is FindingCode {
  return Object.hasOwn(RULES, code)
}

/** The rules for which `holds` is true of what is known of them. */
export function codesWhere(holds: (rule: Rule) => boolean): readonly FindingCode[] {
  return Object.keys(RULES).filter((code): code is FindingCode => isFindingCode(code) && holds(ruleOf(code)))
}

/**
 * What to do about a rule in one log.
 * @param opens - whether DSH opens the log: what it repairs by itself, it repairs only then.
 */
export function fixIn(code: FindingCode, opens: boolean): string {
  const { fix, mendedOnResume } = ruleOf(code)
  return mendedOnResume === true && !opens ? AFTER_THE_REST : fix
}

const AFTER_THE_REST =
  'DSH repairs this by itself once the log opens, and a repair of the log includes it. Run "resurface repair LOG" to see the plan.'
