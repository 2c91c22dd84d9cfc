/** `undo`: brings back the bytes that logs had before `repair --in-place`. */
import { realpath } from 'node:fs/promises'
import { type LogInput, resolveInputs } from '../load/inputs/resolve-inputs.ts'
import { LOG_IS_SAFE, writing } from '../load/outputs/writing.ts'
import { grouped, plural } from '../report/number-text.ts'
import { type Report, type ReportData, reportSetOf } from '../report/report.ts'
import { shellWord } from '../report/shell-word.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { replacementOf } from '../storage/rewrite/backups.ts'
import { restoreLog } from '../storage/rewrite/replace-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, type FailedInput, type Outcome } from './definition/command.ts'
import { worstExitCode } from './many-logs/each-log.ts'
import { failedInput } from './many-logs/one-input.ts'

export const command = defineCommand({
  arguments: [['<logs...>', 'log files, whole databases, directories or session ids']],
  uses: [],
  exits: {
    0: 'done',
    3: 'the log or its backup is missing or unreadable',
    5: 'refused: there is nothing to undo, or the log has changed since',
  },
  examples: ['resurface undo session.jsonl', 'resurface undo sessions.db', 'resurface undo ~/.dsh/sessions'],
  run: ([logs], _options, context) => undo(logs, context),
})

async function undo(names: readonly string[], context: CommandContext): Promise<Outcome> {
  const inputs = await resolveInputs(names, context.storeRoot)
  if (inputs.some(({ path }) => path === '-')) throw new ToolError('usage', 'standard input has no backup')
  inputs.forEach(mustBeWholeFile)
  const logs = [...new Map(inputs.map((input) => [input.path, input])).values()]
  const [log] = logs
  if (log === undefined) throw new ToolError('usage', 'there is no log in it')
  if (logs.length === 1) return { reportSet: reportSetOf(await restored(log)), exitCode: 0 }
  return undoAll(logs, context)
}

/** The last repair of a database need not be that of the session that is named, and its backup holds all of them. */
function mustBeWholeFile({ name, path, session }: LogInput): void {
  if (session === undefined) return
  throw new ToolError(
    'usage',
    `${name} names one session, and undo takes back the last repair of the whole file, whichever sessions it changed`,
    `To take that back: resurface undo ${shellWord(path)}`,
  )
}

/** Logs without a repair are passed over, and one that cannot be brought back hides no other. */
async function undoAll(logs: readonly LogInput[], { progress }: CommandContext): Promise<Outcome> {
  const reports: Report<'undo'>[] = []
  const failed: FailedInput[] = []
  let undone = 0
  progress?.expect(logs.map(({ path }) => path))
  for (const input of logs) {
    progress?.next(input.path)
    try {
      const replacement = await replacementOf(await realpath(input.path))
      if (replacement === 'undone') undone++
      if (replacement === 'made') reports.push(await restored(input))
    } catch (error) {
      failed.push(failedInput(error, input.path))
    }
  }
  if (reports.length + failed.length === 0)
    throw new ToolError('refused', `nothing to undo: ${nothingText(logs.length, undone)}`)
  const unread = failed.map(({ path, message }) => ({ path, message }))
  return {
    reportSet: { schema: 'resurface/undo@1', reports, ...(unread.length > 0 && { unread }) },
    exitCode: worstExitCode([0, ...failed.map(({ exitCode }) => exitCode)]),
    failures: unread.map(({ message }) => message),
  }
}

/** @param undone - logs that have a backup and are as they were. */
function nothingText(logs: number, undone: number): string {
  if (undone === 0) return `none of ${plural(logs, 'log')} has a backup of a repair`
  const repaired = undone === 1 ? '1 was repaired and is' : `${grouped(undone)} were repaired and are`
  const others = logs - undone
  const unrepaired = others === 0 ? '' : `, and ${grouped(others)} ${others === 1 ? 'has' : 'have'} no backup`
  return `of ${plural(logs, 'log')}, ${repaired} already as before${unrepaired}`
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
