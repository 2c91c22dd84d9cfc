/** `completion`: the script that teaches a shell the commands, and the words that the script asks for. */
import { type ReportData, reportSetOf } from '../report/report.ts'
import { ToolError } from '../storage/tool-error.ts'
import { defineCommand } from './definition/command.ts'

export const command = defineCommand({
  arguments: [
    ['<shell>', 'bash, zsh or fish'],
    ['[words...]', 'words of a command line so far, after --: answers with what may come next'],
  ],
  uses: [],
  examples: [
    'eval "$(resurface completion bash)"',
    'eval "$(resurface completion zsh)"',
    'resurface completion fish > ~/.config/fish/completions/resurface.fish',
  ],
  run: async ([shell, words], _options, context) => {
    const { COMPLETION_SCRIPTS } = await import('./completion/scripts.ts')
    if (!Object.hasOwn(COMPLETION_SCRIPTS, shell)) {
      throw new ToolError(
        'usage',
        `there are no completions for ${shell}`,
        `There are some for ${Object.keys(COMPLETION_SCRIPTS).join(', ')}.`,
      )
    }
    const data: ReportData<'completion'> =
      words.length === 0
        ? { script: COMPLETION_SCRIPTS[shell as keyof typeof COMPLETION_SCRIPTS] }
        : await (await import('./completion/words.ts')).candidatesFor(words, context.storeRoot)
    return { reportSet: reportSetOf({ schema: 'resurface/completion@1', findings: [], data }), exitCode: 0 }
  },
})
