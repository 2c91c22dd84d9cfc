/** `undo`: brings back the bytes that a log had before `repair --in-place`. */
import { resolveInputs } from '../load/inputs/resolve-inputs.ts'
import { LOG_IS_SAFE, writing } from '../load/outputs/writing.ts'
import type { ReportData } from '../report/report.ts'
import { restoreLog } from '../storage/rewrite/replace-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, LOG_ARGUMENT, type Outcome } from './definition/command.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  examples: ['resurface undo session.jsonl'],
  run: ([log], _options, context) => undo(log, context),
})

async function undo(name: string, context: CommandContext): Promise<Outcome> {
  const inputs = await resolveInputs([name], context.storeRoot)
  const [input] = inputs
  if (input === undefined || inputs.length > 1 || input.path === '-')
    throw new ToolError('usage', `${name} does not stand for one log`)
  // The log may have been written a moment ago, by the repair: what it holds tells whether anybody else did.
  const backup = await writing(input.path, () => restoreLog(input.path), LOG_IS_SAFE)
  const data: ReportData<'undo'> = { log: input.path, backup }
  return {
    answer: { schema: 'resurface/undo@1', subject: { path: name }, findings: [], data },
    exitCode: 0,
  }
}
