/**
 * `convert`: the same events in another container or with other rows. The source must be whole: what is torn or out of
 * order is repaired first, not carried along. The result is read again and compared before it takes its name.
 */
import { randomUUID } from 'node:crypto'
import type { SessionHeader } from '../core/event/session-event.ts'
import type { JudgedLog } from '../load/inputs/judged-log.ts'
import { convertedLines, ROWS } from '../load/outputs/converted-lines.ts'
import { withWritten, writeCopy } from '../load/outputs/writing.ts'
import { eventsDigest, storedLog } from '../load/reading/stored-events.ts'
import { type ConversionTarget, mustBeConvertible } from '../log/convertible.ts'
import { withLog } from '../log/open-log.ts'
import { logReport } from '../report/log-report.ts'
import { type ReportData, reportSetOf } from '../report/report.ts'
import { namedContainer } from '../storage/detect.ts'
import type { RecordSource } from '../storage/record-source.ts'
import { writeTextLog } from '../storage/rewrite/write-text-log.ts'
import type { WritableSchema } from '../storage/sqlite/schema-ddl.ts'
import { ToolError } from '../storage/tool-error.ts'
import { writeFileWhole } from '../storage/write-file.ts'
import { type CommandContext, defineCommand, LOG_ARGUMENT, type Outcome } from './definition/command.ts'
import { choice, type ValuesOf } from './definition/option.ts'

const TARGETS: readonly ConversionTarget[] = ['jsonl', 'zstd', 'sqlite']

const OPTIONS = {
  to: choice('<container>', TARGETS, 'container to write; follows from the name of -o'),
  rows: choice('<rows>', ROWS, 'streamed deltas one a row, packed, or as they are'),
  databaseSchema: choice('<number>', ['14', '17'], 'schema of a database (default 17)'),
}

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: OPTIONS,
  exits: { 0: 'written, and compared', 5: 'refused: the events would not be the same' },
  examples: [
    'resurface convert session.jsonl.zstd -o session.jsonl',
    'resurface convert session.jsonl -o unpacked.jsonl --rows unpacked',
    'resurface convert session.jsonl -o sessions.db',
  ],
  writesOutput: true,
  run: ([path], options, context) =>
    withLog(path, context, async (log) => convert(await log.read({}), options, context)),
})

async function convert(
  log: JudgedLog<unknown>,
  { to: named, rows = 'as-is', databaseSchema = '17' }: ValuesOf<typeof OPTIONS>,
  context: CommandContext,
): Promise<Outcome> {
  const { output } = context
  if (output === undefined) throw new ToolError('usage', 'convert needs -o FILE')
  const to = named ?? namedContainer(output)
  if (to === undefined || to === 'gzip') {
    throw new ToolError(
      'usage',
      `what to write does not follow from the name ${output}`,
      'Add --to jsonl, zstd or sqlite.',
    )
  }
  mustBeConvertible(log, to, rows)
  const before = await writeCopy(output, context, async () => {
    const digest = await eventsDigest(log.input.source, context.limits)
    if (to === 'sqlite') {
      await writeDatabase(output, log.input.source, databaseSchema === '14' ? 14 : 17, digest, context)
    } else {
      await writeFileWhole(
        output,
        (file) => writeTextLog(file, convertedLines(log.input.source, rows, context.limits), to),
        (written) => mustHold(written, digest, context),
      )
    }
    return digest
  })
  const data: ReportData<'convert'> = {
    output,
    container: to,
    rows: to === 'sqlite' ? 'unpacked' : rows,
    events: before.count,
    digest: before.hash,
    lost: lostMembers(log, to),
  }
  return { reportSet: reportSetOf(logReport('convert', log, data)), exitCode: 0 }
}

/** Members of the header that a database has no column for. */
function lostMembers(log: JudgedLog<unknown>, to: ConversionTarget): readonly string[] {
  if (to !== 'sqlite') return []
  return log.findings
    .findings()
    .flatMap(({ code, args }) => (code === 'header/unknown' ? [`header field ${args.field}`] : []))
}

async function writeDatabase(
  output: string,
  source: RecordSource,
  schema: WritableSchema,
  before: { count: number; hash: string },
  context: CommandContext,
): Promise<void> {
  const { writeFreshDatabase } = await import('../storage/rewrite/fresh-database.ts')
  const stored = await storedLog(source, context.limits)
  if (stored === undefined) throw new ToolError('input', 'the log has no header')
  const session = { header: stored.header as unknown as SessionHeader, events: stored.events }
  const options = { schema, newId: randomUUID }
  await writeFreshDatabase([session], options, output, (written) => mustHold(written, before, context))
}

/** Compares every event of what was written. */
async function mustHold(
  written: string,
  before: { count: number; hash: string },
  context: CommandContext,
): Promise<void> {
  const after = await withWritten(written, context, ({ source }) => eventsDigest(source, context.limits))
  if (after.count === before.count && after.hash === before.hash) return
  throw new ToolError('refused', 'the written log does not hold the same events and was removed')
}
