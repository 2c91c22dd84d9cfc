/**
 * `anonymize`: a copy of a log that can be shown to others. What may stay is on a list (`core/anonymize`), and the rest is
 * replaced; or, with `--only secrets`, what is a secret is replaced (`core/redact`), and the rest stays. The copy takes its
 * name only when it has the findings, classes and repair plan that the log has.
 */
import { createHash } from 'node:crypto'
import type { Neutralizer } from '../core/anonymize/neutral-json.ts'
import { Pseudonyms } from '../core/anonymize/pseudonyms.ts'
import { Tally } from '../core/anonymize/tally.ts'
import { TimeShift } from '../core/anonymize/time-shift.ts'
import type { FindingCode } from '../core/findings/rules.ts'
import { neutralLines } from '../load/anonymize/neutral-lines.ts'
import { writeAlike } from '../load/anonymize/write-alike.ts'
import { type JudgedLog, mustBeLog } from '../load/inputs/judged-log.ts'
import { withLog } from '../log/open-log.ts'
import { logReport } from '../report/log-report.ts'
import { type Report, type ReportData, reportSetOf } from '../report/report.ts'
import { namedContainer } from '../storage/detect.ts'
import type { RecordSource } from '../storage/record-source.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, LOG_ARGUMENT, type Outcome } from './definition/command.ts'
import { choice, list, type ValuesOf } from './definition/option.ts'
import { NAMED_SECRETS, redactionOptions } from './definition/redaction.ts'

const OPTIONS = {
  keep: list('<path>', parsePath, 'keep this field, such as header.cwd or tool/call.name; may be repeated'),
  only: choice('<what>', ['secrets'], 'replace only keys, tokens, passwords, mail addresses and user names'),
  ...NAMED_SECRETS,
}

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: OPTIONS,
  notes: [
    'docs/redact.md says what --only secrets recognises, and what it does not. Read a copy before you share it.',
  ],
  exits: {
    0: 'written, and compared',
    5: 'refused: content or secrets would be left in it, or its findings would change',
  },
  examples: [
    'resurface anonymize session.jsonl -o shared.jsonl',
    'resurface anonymize session.jsonl -o shared.jsonl --keep tool/call.name --keep header.cwd',
    'resurface anonymize session.jsonl --only secrets -o shared.jsonl',
    'resurface anonymize session.jsonl --only secrets --secrets-from .env -o shared.jsonl',
  ],
  writesOutput: true,
  run: ([log], options, context) => {
    mustFit(options)
    const { keep, only } = options
    return withLog(log, context, async (named) => {
      const read = await named.read({})
      return only === 'secrets' ? redact(read, options, context) : anonymize(read, new Set(keep), context)
    })
  },
})

function mustFit({ keep, only, secretsEnv, secretsFrom }: ValuesOf<typeof OPTIONS>): void {
  if (only === 'secrets' && keep.length > 0)
    throw new ToolError(
      'usage',
      'choose one of --only secrets and --keep: with --only secrets all that is not a secret stays',
    )
  if (only === undefined && secretsEnv.length + secretsFrom.length > 0)
    throw new ToolError('usage', '--secrets-env and --secrets-from need --only secrets')
}

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
  const { output, container } = copyOf(log, context)
  const { source } = log.input
  const using = neutralizer(keep, await keptTexts(source, keep))
  const lines = (faults: Set<FindingCode>) => neutralLines(source, using, faults)
  const { same, lacks } = await writeAlike(log.input, { output, container, lines }, context)
  const kept = using.tally.askedCounts()
  return outcomeOf(log, {
    output,
    container,
    events: log.end.eventCount,
    fields: using.tally.counts(),
    keep: [...keep].map((path) => ({ path, kept: kept.get(path) ?? 0 })),
    same,
    ...(lacks.length > 0 && { lacks }),
  })
}

async function redact(
  log: JudgedLog<unknown>,
  named: ValuesOf<typeof NAMED_SECRETS>,
  context: CommandContext,
): Promise<Outcome> {
  const { output, container } = copyOf(log, context)
  const options = await redactionOptions(context, named)
  const { redactedCopy } = await import('../load/redact/redacted-copy.ts')
  const { secrets, base64, ...copy } = await redactedCopy(log.input, { output, container }, options, context)
  const { same, lacks } = copy
  return outcomeOf(log, {
    output,
    container,
    events: log.end.eventCount,
    fields: [],
    keep: [],
    same,
    ...(lacks.length > 0 && { lacks }),
    secrets,
    base64,
  })
}

/** Which file is to be written, once it is certain that the log can be copied. */
function copyOf(
  log: JudgedLog<unknown>,
  { output }: CommandContext,
): { readonly output: string; readonly container: 'jsonl' | 'zstd' } {
  if (output === undefined) throw new ToolError('usage', 'anonymize needs -o FILE')
  const container = containerFor(output, log)
  mustBeReadable(log)
  return { output, container }
}

function outcomeOf(log: JudgedLog<unknown>, data: ReportData<'anonymize'>): Outcome {
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
    `a copy for others is written as lines${input.container === 'zstd' ? '' : ', not compressed'}, and ${output} names something else`,
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
