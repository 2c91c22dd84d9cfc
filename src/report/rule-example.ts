/**
 * A small log that raises a finding code, as docs/rule-examples.json holds it: the corpus case of the test suite that
 * shows the code with the least around it. Anyone who reads the file gives it in; nothing here opens one.
 */
import type { Static } from '../core/json/json-schema.ts'
import type { RULE_EXAMPLE } from './schemas/report-data.ts'
import { shellWord } from './shell-word.ts'

export type RuleExample = Static<typeof RULE_EXAMPLE>
export type ExampleFile = RuleExample['files'][number]

/** By finding code. Rules that no file at rest can break have none. */
export type RuleExamples = Readonly<Record<string, RuleExample>>

/** The command that shows the finding, once the example is in `folder`. */
export function tryCommand({ named, options }: RuleExample, folder: string): string {
  const path = named === '.' ? folder : `${folder.replace(/\/+$/, '')}/${named}`
  return ['resurface check', shellWord(path), ...options].join(' ')
}
