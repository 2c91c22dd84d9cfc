/** `explain`: what the finding codes mean. */
import { isFindingCode, RULES, ruleOf } from '../core/findings/rules.ts'
import type { ExplainedRule } from '../report/views/explain-view.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { Command } from './command.ts'

export const command: Command = {
  arguments: [['[code]', 'a finding code, or the beginning of several']],
  examples: ['resurface explain', 'resurface explain order/seq-gap', 'resurface explain pair'],
  run: async ([code]) => {
    const wanted = code as string | undefined
    const codes = Object.keys(RULES).filter(isFindingCode)
    const exact = codes.filter((known) => known === wanted)
    const chosen =
      exact.length > 0 ? exact : codes.filter((known) => wanted === undefined || known.startsWith(wanted))
    if (chosen.length === 0) {
      throw new ToolError('usage', `there is no rule "${wanted}"`, 'Run "resurface explain" for the list.')
    }
    const rules = chosen.map((known): ExplainedRule => {
      const { severity, layer, title, why, fix, repairable, source } = ruleOf(known)
      return { code: known, severity, layer, title, why, fix, repairable, source }
    })
    return { answer: { schema: 'resurface/explain@1', findings: [], data: { rules } }, exitCode: 0 }
  },
}
