/** What `bisect` and `minimize` look for: a rule by its code, or whatever a command of the user says. */
import { type FindingCode, isFindingCode, RULES } from '../../core/findings/rules.ts'
import { didYouMean } from '../../core/search/similar-words.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { text, type ValuesOf } from './option.ts'

export type SearchTarget =
  | { readonly kind: 'rule'; readonly code: FindingCode }
  | { readonly kind: 'command'; readonly command: string }

export const SEARCH_OPTIONS = {
  rule: text('<code>', 'code of the finding to look for'),
  exec: text(
    '<command>',
    'let the shell run this instead, with a quoted file in place of {}: 0 is good, 125 cannot tell, up to 127 is bad',
  ),
}

export function searchTarget({ rule, exec }: ValuesOf<typeof SEARCH_OPTIONS>): SearchTarget {
  if (rule !== undefined && exec === undefined) return { kind: 'rule', code: ruleNamed(rule) }
  if (rule !== undefined || exec === undefined)
    throw new ToolError('usage', 'name what to look for, by one of --rule CODE and --exec COMMAND')
  return { kind: 'command', command: exec }
}

function ruleNamed(text: string): FindingCode {
  if (isFindingCode(text)) return text
  const meant = didYouMean(text, Object.keys(RULES))
  throw new ToolError('usage', `there is no rule "${text}"`, `${meant}Run "resurface explain" for the list.`)
}
