/** `undo`: brings back the bytes that a log had before `repair --in-place`. */
import { reasonOf } from '../load/reason-of.ts'
import { resolveInputs } from '../load/resolve-inputs.ts'
import type { UndoData } from '../report/views/undo-view.ts'
import { mustBeAtRest } from '../storage/rewrite/live-writer.ts'
import { restoreLog } from '../storage/rewrite/replace-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type Command, type CommandContext, LOG_ARGUMENT, type Outcome } from './command.ts'

export const command: Command = {
  arguments: [['<log>', LOG_ARGUMENT]],
  examples: ['resurface undo session.jsonl'],
  run: ([log], _options, context) => undo(log as string, context),
}

async function undo(name: string, context: CommandContext): Promise<Outcome> {
  const inputs = await resolveInputs([name], context.storeRoot)
  const [input] = inputs
  if (input === undefined || inputs.length > 1 || input.path === '-')
    throw new ToolError('usage', `${name} does not stand for one log`)
  try {
    await mustBeAtRest(input.path, context.now())
    const data: UndoData = { log: input.path, backup: await restoreLog(input.path) }
    return {
      answer: { schema: 'resurface/undo@1', subject: { path: name }, findings: [], data },
      exitCode: 0,
    }
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw new ToolError('input', `cannot bring ${name} back: ${reasonOf(error)}`, 'The log is as it was.')
  }
}
