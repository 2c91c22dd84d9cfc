/** A command on several inputs, of which none may hide the others. */
import type { Reducer } from '../core/replay/reducer.ts'
import type { ResultsOf } from '../load/load-log.ts'
import { InputOpener } from '../load/open-input.ts'
import { reasonOf } from '../load/reason-of.ts'
import { type LogInput, resolveInputs } from '../load/resolve-inputs.ts'
import type { Report, UnreadInput } from '../report/report.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { CommandContext, Outcome } from './command.ts'
import { type JudgedLog, withOpened } from './log-report.ts'

/** Exit codes of several inputs, worst first. */
const WORST_FIRST = [70, 3, 2, 5, 1, 4, 0]

export function worstExitCode(codes: readonly number[]): number {
  return WORST_FIRST.find((code) => codes.includes(code)) ?? 0
}

interface ResolvedNames {
  readonly inputs: readonly LogInput[]
  readonly problems: readonly { readonly path: string; readonly error: ToolError }[]
}

/** What the names stand for; a name that stands for nothing does not hide the others. */
export async function resolveEach(names: readonly string[], context: CommandContext): Promise<ResolvedNames> {
  const inputs: LogInput[] = []
  const problems: { path: string; error: ToolError }[] = []
  for (const name of names) {
    try {
      inputs.push(...(await resolveInputs([name], context.storeRoot)))
    } catch (error) {
      const problem = asToolError(error, name)
      if (problem === undefined) throw error
      problems.push({ path: name, error: problem })
    }
  }
  return { inputs, problems }
}

/** Trouble with an input, be it named by us or by the system; `undefined` for a bug of ours. */
function asToolError(error: unknown, path: string): ToolError | undefined {
  if (error instanceof ToolError) return error
  const isSystem = error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined
  return isSystem ? new ToolError('input', `cannot read ${path}: ${reasonOf(error)}`) : undefined
}

/** What to say of an input that could not be read, while others still can: a bug of ours must not hide them either. */
export function troubleWith(error: unknown, path: string): { message: string; exitCode: number } {
  const problem = asToolError(error, path)
  if (problem !== undefined) return problem
  const reason = error instanceof Error ? error.message : String(error)
  return { message: `${path} meets a bug in resurface, please report it: ${reason}`, exitCode: 70 }
}

/**
 * Runs a command on every log that `names` stand for. One log gives one report; several give a set, in which an
 * input that cannot be read is a note and an exit code, and the rest goes on.
 */
export async function eachLog<const Reducers extends Record<string, Reducer>>(
  command: string,
  names: readonly string[],
  context: CommandContext,
  reducers: () => Reducers,
  use: (log: JudgedLog<ResultsOf<Reducers>>) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const opener = new InputOpener(context)
  try {
    const { inputs, problems } = await resolveEach(names, context)
    const reports: Report[] = []
    const codes: number[] = []
    const notes: string[] = []
    const unread: UnreadInput[] = []
    let only: Outcome | undefined
    const isAlone = inputs.length + problems.length === 1
    // Trouble with the only input ends the run; with one of several it stands beside what the others say.
    const attempt = async (path: string, isOnly: boolean, work: () => Promise<void>): Promise<void> => {
      try {
        await work()
      } catch (error) {
        if (isOnly) throw asToolError(error, path) ?? error
        const { message, exitCode } = troubleWith(error, path)
        unread.push({ path, message })
        codes.push(exitCode)
      }
    }
    context.progress?.expect(inputs.map(({ path }) => path))
    for (const named of inputs) {
      context.progress?.next()
      await attempt(named.name, isAlone, async () => {
        const logs = await opener.expand(named)
        for (const input of logs) {
          await attempt(input.name, isAlone && logs.length === 1, async () => {
            const outcome = await withOpened(opener, input, context, reducers(), use, {})
            only = outcome
            reports.push(outcome.answer as Report)
            codes.push(outcome.exitCode)
            notes.push(...(outcome.notes ?? []))
          })
        }
      })
    }
    for (const { path, error } of problems) {
      if (problems.length === 1 && inputs.length === 0) throw error
      unread.push({ path, message: error.message })
      codes.push(error.exitCode)
    }
    for (const { message } of unread) notes.push(message)
    if (only !== undefined && codes.length === 1) return only
    const answer = { schema: `resurface/${command}@1`, reports, ...(unread.length > 0 && { unread }) }
    return { answer, exitCode: worstExitCode(codes), notes }
  } finally {
    await opener.close()
  }
}
