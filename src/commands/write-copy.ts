/** What every command that writes a log promises about its output. */
import { reasonOf } from '../load/reason-of.ts'
import { mustBeVacant } from '../storage/output-guard.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { CommandContext } from './command.ts'

/** A copy goes to a new file; nothing is replaced. */
export async function writeCopy<Result>(
  output: string,
  { opened }: CommandContext,
  write: () => Promise<Result>,
): Promise<Result> {
  await mustBeVacant(output, opened)
  return writing(output, write)
}

/** What the system refuses is said in the words of the tool; anything else is a bug of ours. */
export async function writing<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof ToolError || typeof (error as NodeJS.ErrnoException).code !== 'string') throw error
    throw new ToolError('input', `cannot write ${path}: ${reasonOf(error)}`, 'The original log is as it was.')
  }
}
