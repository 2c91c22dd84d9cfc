/**
 * `anonymize`: a copy of a log that can be shown to others. What may stay is on a list (`core/anonymize`); the rest is
 * replaced, and the copy takes its name only when it has the findings, classes and repair plan that the log has.
 */
import { createHash } from 'node:crypto'
import type { Neutralizer } from '../core/anonymize/neutral-json.ts'
import { Pseudonyms } from '../core/anonymize/pseudonyms.ts'
import { Tally } from '../core/anonymize/tally.ts'
import { TimeShift } from '../core/anonymize/time-shift.ts'
import type { FindingCode } from '../core/findings/rules.ts'
import { type Diagnosis, diagnose, differences } from '../load/anonymize/diagnosis.ts'
import { neutralLines } from '../load/anonymize/neutral-lines.ts'
import { writeNeutralLog } from '../load/anonymize/write-neutral-log.ts'
import { type JudgedLog, mustBeLog } from '../load/inputs/judged-log.ts'
import { withWritten, writeCopy } from '../load/outputs/writing.ts'
import { withLog } from '../log/open-log.ts'
import { logReport } from '../report/log-report.ts'
import { type Report, type ReportData, reportSetOf } from '../report/report.ts'
import { namedContainer } from '../storage/detect.ts'
import type { RecordSource } from '../storage/record-source.ts'
import { ToolError } from '../storage/tool-error.ts'
import { writeFileWhole } from '../storage/write-file.ts'
import { type CommandContext, defineCommand, LOG_ARGUMENT, type Outcome } from './definition/command.ts'
import { list } from './definition/option.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: {
    keep: list('<path>', parsePath, 'keep this field, such as header.cwd or tool/call.name; may be repeated'),
  },
  exits: {
    0: 'written, and compared',
    5: 'refused: content would be left in it, or its findings would change',
  },
  examples: [
    'resurface anonymize session.jsonl -o shared.jsonl',
    'resurface anonymize session.jsonl -o shared.jsonl --keep tool/call.name --keep header.cwd',
  ],
  writesOutput: true,
  run: ([log], { keep }, context) =>
    withLog(log, context, async (named) => anonymize(await named.read({}), new Set(keep), context)),
})

/** `header` or an event type, then members with dots between them; lists need no mention. */
const PATH = /^(?:header|[^\s.]+\/[^\s.]+)(?:\.[^\s.]+)*$/

function parsePath(text: string): string {
  if (PATH.test(text)) return text
  throw new ToolError('usage', `"${text}" is no path; write header.cwd or tool/call.name`)
}

async function anonymize(
  log: JudgedLog<unknown>,
  keep: ReadonlySet<string>,
  context: CommandContext,
): Promise<Outcome> {
  const { output } = context
  if (output === undefined) throw new ToolError('usage', 'anonymize needs -o FILE')
  const container = containerFor(output, log)
  mustBeReadable(log)
  const { source, file, session } = log.input
  const hasLines = session === undefined
  let same = await diagnose(source, file, context.limits, hasLines)
  const faults = new Set<FindingCode>()
  let lacks: ReadonlySet<FindingCode> = new Set()
  const using = neutralizer(keep, await keptTexts(source, keep))
  await writeCopy(output, context, () =>
    writeFileWhole(
      output,
      (target) => writeNeutralLog(target, neutralLines(source, using, faults), container),
      (written) =>
        withWritten(written, context, async (copy) => {
          const of = (log: { source: RecordSource; file: string }, without?: ReadonlySet<FindingCode>) =>
            diagnose(log.source, log.file, context.limits, hasLines, without)
          const after = await of(copy)
          if (differences(same, after).length === 0) return
          lacks = new Set([...faults].filter((code) => !after.codes.has(code)))
          if (lacks.size > 0) same = await of(log.input, lacks)
          mustBeAlike(same, lacks.size > 0 ? await of(copy, lacks) : after)
        }),
    ),
  )
  const kept = using.tally.askedCounts()
  const data: ReportData<'anonymize'> = {
    output,
    container,
    events: log.end.eventCount,
    fields: using.tally.counts(),
    keep: [...keep].map((path) => ({ path, kept: kept.get(path) ?? 0 })),
    same: same.counts,
    ...(lacks.size > 0 && { lacks: [...lacks].toSorted() }),
  }
  return { reportSet: reportSetOf(reportOn(log, data)), exitCode: 0 }
}

/** Ids and findings quote the log, and a report is shared as readily as the copy that it is about. */
function reportOn(log: JudgedLog<unknown>, data: ReportData<'anonymize'>): Report {
  const { subject, ...report } = logReport('anonymize', log, data)
  const { sessionId: _id, ...about } = subject ?? { path: log.name }
  return { ...report, subject: about, findings: [] }
}

/** A log stays in its container; of what a text cannot hold, only the rows are written. */
function containerFor(output: string, { input }: JudgedLog<unknown>): 'jsonl' | 'zstd' {
  const named = namedContainer(output) ?? (input.container === 'zstd' ? 'zstd' : 'jsonl')
  if (named === 'jsonl' || (named === 'zstd' && input.container === 'zstd')) return named
  throw new ToolError(
    'usage',
    `a copy without content is written as lines${input.container === 'zstd' ? '' : ', not compressed'}, and ${output} names something else`,
    'Name it shared.jsonl; "resurface convert" puts it into another container.',
  )
}

function mustBeReadable(log: JudgedLog<unknown>): void {
  mustBeLog(log)
  const { name, findings } = log
  if (findings.found().has('bytes/changed-while-reading'))
    throw new ToolError('refused', `${name} was written to meanwhile`, 'Wait until its session has ended.')
}

/** Texts at the paths that were asked for: they stay wherever they are, so that what was equal stays equal. */
async function keptTexts(source: RecordSource, keep: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const texts = new Set<string>()
  if (keep.size === 0) return texts
  const using = neutralizer(keep, texts, (text) => texts.add(text))
  for await (const _line of neutralLines(source, using));
  return texts
}

function neutralizer(
  keep: ReadonlySet<string>,
  texts: ReadonlySet<string>,
  reveal: (text: string) => void = () => {},
): Neutralizer {
  const print = (text: string): string => createHash('sha256').update(text).digest('base64')
  const names = new Pseudonyms(print, texts)
  return { names, times: new TimeShift(), tally: new Tally(), keep, reveal }
}

function mustBeAlike(before: Diagnosis, after: Diagnosis): void {
  const changed = differences(before, after)
  if (changed.length === 0) return
  throw new ToolError(
    'refused',
    `without its content the log would not be the same case: ${changed.join('; ')}`,
    'Nothing was written.',
  )
}
