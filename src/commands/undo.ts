/** `undo`: brings back the bytes that logs had before `repair --in-place`. */
import { realpath } from 'node:fs/promises'
import { type LogInput, resolveInputs } from '../load/inputs/resolve-inputs.ts'
import { LOG_IS_SAFE, writing } from '../load/outputs/writing.ts'
import { type Report, type ReportData, reportSetOf } from '../report/report.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { isReplaced } from '../storage/rewrite/backups.ts'
import { restoreLog } from '../storage/rewrite/replace-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, type FailedInput, type Outcome } from './definition/command.ts'
import { worstExitCode } from './many-logs/each-log.ts'
import { failedInput } from './many-logs/one-input.ts'

export const command = defineCommand({
  arguments: [['<logs...>', 'log files, directories or session ids']],
  uses: [],
  exits: {
    0: 'done',
    3: 'the log or its backup is missing or unreadable',
    5: 'refused: there is nothing to undo, or the log has changed since',
  },
  examples: ['resurface undo session.jsonl', 'resurface undo ~/.dsh/sessions'],
  run: ([logs], _options, context) => undo(logs, context),
})

async function undo(names: readonly string[], context: CommandContext): Promise<Outcome> {
  const inputs = await resolveInputs(names, context.storeRoot)
  if (inputs.some(({ path }) => path === '-')) throw new ToolError('usage', 'standard input has no backup')
  const [input] = inputs
  if (input === undefined) throw new ToolError('usage', 'there is no log in it')
  if (inputs.length === 1) return { reportSet: reportSetOf(await restored(input)), exitCode: 0 }
  return undoAll(inputs, context)
}

/** Logs without a repair are passed over, and one that cannot be brought back hides no other. */
async function undoAll(inputs: readonly LogInput[], { progress }: CommandContext): Promise<Outcome> {
  const reports: Report<'undo'>[] = []
  const failed: FailedInput[] = []
  const logs = new Map(inputs.map((input) => [input.path, input]))
  progress?.expect([...logs.keys()])
  for (const input of logs.values()) {
    progress?.next(input.path)
    try {
      if (await isReplaced(await realpath(input.path))) reports.push(await restored(input))
    } catch (error) {
      failed.push(failedInput(error, input.path))
    }
  }
  if (reports.length + failed.length === 0)
    throw new ToolError('refused', `nothing to undo: none of the ${logs.size} logs has been repaired`)
  const unread = failed.map(({ path, message }) => ({ path, message }))
  return {
    reportSet: { schema: 'resurface/undo@1', reports, ...(unread.length > 0 && { unread }) },
    exitCode: worstExitCode([0, ...failed.map(({ exitCode }) => exitCode)]),
    notes: unread.map(({ message }) => message),
  }
}

async function restored({ path, name }: LogInput): Promise<Report<'undo'>> {
  await realpath(path).catch((error: unknown) => {
    throw new ToolError('input', `cannot read ${path}: ${reasonOf(error)}`)
  })
  // The log may have been written a moment ago, by the repair: what it holds tells whether anybody else did.
  const backup = await writing(path, () => restoreLog(path), LOG_IS_SAFE)
  const data: ReportData<'undo'> = { log: path, backup }
  return { schema: 'resurface/undo@1', subject: { path: name }, findings: [], data }
}
