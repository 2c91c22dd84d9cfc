/** The page of all rules in the documentation. It says nothing that is not in the registry or the examples. */
import type { Layer } from '../core/findings/finding.ts'
import type { Rule } from '../core/findings/rule.ts'
import { type FindingCode, RULES, ruleOf } from '../core/findings/rules.ts'
import type { RuleExamples } from './rule-example.ts'

const LAYERS: readonly (readonly [layer: Layer, question: string])[] = [
  ['bytes', 'can the file be read?'],
  ['order', 'is every event there once, in its place?'],
  ['meaning', 'do the events make sense together?'],
  ['compatibility', 'which readers take it?'],
]

export function* rulesPage(examples: RuleExamples): Iterable<string> {
  const codes = Object.keys(RULES) as FindingCode[]
  yield '# Rules\n\n'
  yield 'Every finding code of `resurface check`, made from the rule registry by `npm run docs`. '
  yield '`resurface explain CODE` prints the same, nearly always with a small log that raises it; '
  yield '`--example DIR` writes that log to a new folder, to be tried.\n'
  for (const [layer, question] of LAYERS) {
    yield `\n## ${layer}: ${question}\n`
    for (const code of codes) if (ruleOf(code).layer === layer) yield* ruleEntry(code, examples)
  }
}

function* ruleEntry(code: FindingCode, examples: RuleExamples): Iterable<string> {
  const { severity, title, why, fix, source, noExample } = ruleOf(code)
  yield `\n### ${code}\n\n`
  yield `**${severity}**: ${plain(title)}.\n\n`
  yield `- Why: ${plain(why)}\n`
  yield `- Fix: ${plain(fix)}\n`
  yield `- Repairable: ${repairText(ruleOf(code))}\n`
  yield `- Source: ${plain(source)}\n`
  const example = examples[code]
  if (example !== undefined) yield `- Example: ${plain(`${example.name}. ${example.why}`)}\n`
  if (noExample !== undefined) yield `- Example: none. ${plain(noExample)}\n`
}

/** The registry holds sentences, not markup. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, '\\$&')
}

/** Whether a repair takes the finding away, and the steps that repair it. */
function repairText({ repairable, repairs = [] }: Rule): string {
  if (repairs.length === 0) return repairable ? 'yes' : 'no'
  return `${repairable ? 'yes' : 'not always'} (${repairs.join(', ')})`
}
