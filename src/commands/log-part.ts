/** What one of several inputs gives: outcomes of the logs that it holds, and trouble that hides nothing else. */
import type { InputOpener } from '../load/inputs/open-input.ts'
import type { LogInput } from '../load/inputs/resolve-inputs.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { CommandContext, Outcome } from './command.ts'

/** Plain data, for it may come from another thread. */
export interface LogPart {
  readonly outcomes: readonly Outcome[]
  readonly troubles: readonly Trouble[]
}

export interface Trouble {
  readonly path: string
  readonly message: string
  readonly exitCode: number
}

/** What a command makes of one log. */
export type PerLog = (opener: InputOpener, input: LogInput, context: CommandContext) => Promise<Outcome>

/** @param isAlone - there is no other input: trouble with the only log ends the run. */
export async function partOf(
  named: LogInput,
  isAlone: boolean,
  opener: InputOpener,
  context: CommandContext,
  perLog: PerLog,
): Promise<LogPart> {
  const outcomes: Outcome[] = []
  const troubles: Trouble[] = []
  const attempt = async (path: string, isOnly: boolean, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (isOnly) throw asToolError(error, path) ?? error
      troubles.push(troubleWith(error, path))
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
  return { outcomes, troubles }
}

/** Trouble with an input, be it named by us or by the system; `undefined` for a bug of ours. */
export function asToolError(error: unknown, path: string): ToolError | undefined {
  if (error instanceof ToolError) return error
  const isSystem = error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined
  return isSystem ? new ToolError('input', `cannot read ${path}: ${reasonOf(error)}`) : undefined
}

/** What to say of an input that could not be read, while others still can: a bug of ours must not hide them either. */
export function troubleWith(error: unknown, path: string): Trouble {
  const problem = asToolError(error, path)
  if (problem !== undefined) return { path, message: problem.message, exitCode: problem.exitCode }
  const reason = error instanceof Error ? error.message : String(error)
  return { path, message: `${path} meets a bug in resurface, please report it: ${reason}`, exitCode: 70 }
}
