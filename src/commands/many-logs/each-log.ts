/** A command on several inputs, of which none may hide the others. */
import { existsSync } from 'node:fs'
import { isExcluded, namesIn } from '../../load/inputs/input-list.ts'
import { InputOpener } from '../../load/inputs/open-input.ts'
import { type LogInput, resolveInputs } from '../../load/inputs/resolve-inputs.ts'
import { type Report, type ReportKind, schemaName, type UnreadInput } from '../../report/report.ts'
import { ToolError } from '../../storage/tool-error.ts'
import type { CommandContext, FailedInput, InputOutcomes, Outcome, PerLog } from '../definition/command.ts'
import { divideWork } from './divide-work.ts'
import { asToolError, outcomesOf } from './one-input.ts'

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
async function resolveEach(named: readonly string[], context: CommandContext): Promise<ResolvedNames> {
  const { list, stdin, storeRoot, stdinName } = context
  const inputs: LogInput[] = []
  const problems: { path: string; error: ToolError }[] = []
  if (list.filesFrom === '-' && named.includes('-'))
    throw new ToolError('usage', 'standard input can be read once only')
  const names = [...named, ...(await namesIn(list, stdin))]
  if (names.length === 0 && !list.allowEmpty)
    throw new ToolError(
      'usage',
      'there is no log to read',
      'Name one, - for standard input, or a list of them with --files-from.',
    )
  const options = { stdinName, allowEmpty: list.allowEmpty, allows: context.allows }
  for (const name of names) {
    try {
      for (const input of await resolveInputs([name], storeRoot, options)) inputs.push(input)
    } catch (error) {
      const problem = asToolError(error, name)
      if (problem === undefined) throw error
      problems.push({ path: name, error: problem })
    }
  }
  const left = inputs.filter(({ path }) => !isExcluded(path, list.exclude))
  if (left.length === 0 && inputs.length > 0 && problems.length === 0 && !list.allowEmpty)
    throw new ToolError('input', 'every log is excluded', 'With --allow-empty that is no error.')
  return { inputs: left, problems }
}

/** The same, and the store of DSH where nothing is named. */
export async function namedLogs(names: readonly string[], context: CommandContext): Promise<ResolvedNames> {
  if (names.length > 0 || context.list.filesFrom !== undefined) return resolveEach(names, context)
  if (!existsSync(context.storeRoot)) {
    throw new ToolError(
      'input',
      `there is no store at ${context.storeRoot}`,
      'Name a folder, or set DSH_HOME.',
    )
  }
  return resolveEach([context.storeRoot], context)
}

/**
 * Runs a command on every log that `names` stand for, while its reports are taken. Of several, an input that cannot be read
 * is a note and an exit code, and the rest goes on.
 */
export async function eachLog(
  kind: ReportKind,
  names: readonly string[],
  context: CommandContext,
  perLog: PerLog,
): Promise<Outcome> {
  const { inputs, problems } = await resolveEach(names, context)
  const [problem] = problems
  if (problem !== undefined && problems.length === 1 && inputs.length === 0) throw problem.error
  const isAlone = inputs.length + problems.length === 1
  const unread: UnreadInput[] = []
  const codes = new Set<number>()
  const notes: string[] = []
  const failed = ({ path, message, exitCode }: FailedInput): void => {
    unread.push({ path, message })
    codes.add(exitCode)
  }
  async function* reports(): AsyncIterable<Report> {
    let index = 0
    for await (const each of outcomesOfAll(inputs, isAlone, context, perLog)) {
      const input = inputs[index++]
      each.failed.forEach(failed)
      for (const outcome of each.outcomes) {
        codes.add(isAlone ? outcome.exitCode : countedCode(outcome.exitCode, input, context))
        notes.push(...(outcome.notes ?? []))
        yield* outcome.reportSet.reports
      }
    }
    for (const { path, error } of problems) failed({ path, message: error.message, exitCode: error.exitCode })
  }
  const end = (): Outcome => ({
    reportSet: { schema: schemaName(kind), reports: [], ...(unread.length > 0 && { unread }) },
    exitCode: worstExitCode([...codes]),
    notes,
    failures: unread.map(({ message }) => message),
  })
  return { ...end(), live: { reports: reports(), end } }
}

/** A file that holds no session is an error of the folder that it is in, and does not make the folder unreadable. */
function countedCode(code: number, input: LogInput | undefined, { failOn }: CommandContext): number {
  if (code !== 3 || input?.isFound !== true) return code
  return failOn === 'never' ? 0 : 1
}

async function* outcomesOfAll(
  inputs: readonly LogInput[],
  isAlone: boolean,
  context: CommandContext,
  perLog: PerLog,
): AsyncIterable<InputOutcomes> {
  const opener = new InputOpener(context)
  const pool = await context.startWorkers?.(inputs)
  try {
    context.progress?.expect(inputs.map(({ path }) => path))
    const here = (named: LogInput): Promise<InputOutcomes> => {
      context.progress?.next(named.path)
      return outcomesOf(named, isAlone, opener, context, perLog)
    }
    const elsewhere = (pool?.workers ?? []).map((worker) => ({
      run: async (named: LogInput) => {
        const each = await worker.run(named)
        if (each !== undefined) context.progress?.passed(named.path)
        return each
      },
    }))
    yield* divideWork(inputs, here, elsewhere)
  } finally {
    await Promise.all([opener.close(), pool?.end()])
  }
}
