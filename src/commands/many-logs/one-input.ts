/** One of several inputs: the outcome of every log in it. One that fails hides no other. */
import type { InputOpener } from '../../load/inputs/open-input.ts'
import type { LogInput } from '../../load/inputs/resolve-inputs.ts'
import { reasonOf } from '../../storage/reason-of.ts'
import { ToolError } from '../../storage/tool-error.ts'
import type { CommandContext, FailedInput, InputOutcomes, Outcome, PerLog } from '../definition/command.ts'

/** @param isAlone - there is no other input: when the only log fails, the run ends. */
export async function outcomesOf(
  named: LogInput,
  isAlone: boolean,
  opener: InputOpener,
  context: CommandContext,
  perLog: PerLog,
): Promise<InputOutcomes> {
  const outcomes: Outcome[] = []
  const failed: FailedInput[] = []
  const attempt = async (path: string, isOnly: boolean, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (isOnly) throw asToolError(error, path) ?? error
      failed.push(failedInput(error, path))
    }
  }
  await attempt(named.name, isAlone, async () => {
    const logs = await opener.expand(named)
    for (const input of logs) {
      await attempt(input.name, isAlone && logs.length === 1, async () => {
        outcomes.push(await perLog(opener, input, context))
      })
    }
  })
  return { outcomes, failed }
}

/** An error about an input, raised by us or by the system; `undefined` for a bug of ours. */
export function asToolError(error: unknown, path: string): ToolError | undefined {
  if (error instanceof ToolError) return error
  const isSystem = error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined
  return isSystem ? new ToolError('input', `cannot read ${path}: ${reasonOf(error)}`) : undefined
}

/** What to say of an input that could not be read, while others still can: a bug of ours must not hide them either. */
export function failedInput(error: unknown, path: string): FailedInput {
  const problem = asToolError(error, path)
  if (problem !== undefined) return { path, message: problem.message, exitCode: problem.exitCode }
  const reason = error instanceof Error ? error.message : String(error)
  return { path, message: `${path} meets a bug in resurface, please report it: ${reason}`, exitCode: 70 }
}
