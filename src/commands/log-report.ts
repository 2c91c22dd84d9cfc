/**
 * The part that all commands on logs share: open, load once, judge, and report the findings; and the same for
 * several inputs, of which none may hide the others.
 */
import { describe } from '../core/findings/describe.ts'
import { type Finding, fingerprintOf } from '../core/findings/finding.ts'
import { ruleOf } from '../core/findings/rules.ts'
import { type Judgement, judge } from '../core/findings/verdict.ts'
import type { Reducer } from '../core/replay/reducer.ts'
import { type LoadedLog, loadLog } from '../load/load-log.ts'
import { type OpenedInput, openInput } from '../load/open-input.ts'
import { resolveInputs } from '../load/resolve-inputs.ts'
import type { Report, ReportData, ReportFinding } from '../report/report.ts'
import { fingerprintFile, sameFingerprint } from '../storage/fingerprint.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { CommandContext, Outcome } from './command.ts'

export interface JudgedLog<Results> extends LoadedLog<Results> {
  readonly judgement: Judgement
  readonly input: OpenedInput
}

/** Loads the one log at `path` with `reducers` and hands it to `use` while its input is open. */
export async function withLog<const Reducers extends Record<string, Reducer>, Answer>(
  path: string,
  context: CommandContext,
  reducers: Reducers,
  use: (log: JudgedLog<ResultsOf<Reducers>>) => Answer | Promise<Answer>,
  until?: number,
): Promise<Answer> {
  const input = await openInput(path, context.limits, context.stdin)
  try {
    return await use(await loadInput(input, context, reducers, until))
  } finally {
    await input.close()
  }
}

export type ResultsOf<Reducers> = {
  [Key in keyof Reducers]: Reducers[Key] extends Reducer<infer R> ? R : never
}

/** Loads an opened log, and notices when it changes meanwhile. */
export async function loadInput<const Reducers extends Record<string, Reducer>>(
  input: OpenedInput,
  context: CommandContext,
  reducers: Reducers,
  until?: number,
): Promise<JudgedLog<ResultsOf<Reducers>>> {
  const before = await fingerprintFile(input.file)
  const options = { limits: context.limits, ...(until !== undefined && { until }) }
  const loaded = await loadLog(input.source, reducers, options)
  if (!sameFingerprint(before, await fingerprintFile(input.file))) {
    loaded.findings.add({ code: 'bytes/changed-while-reading', origin: {}, args: {} })
  }
  const judgement = judge(loaded.findings.counts(), context.failOn)
  return { ...loaded, judgement, input } as JudgedLog<ResultsOf<Reducers>>
}

/** A report on a log, with its findings and the verdict they give. */
export function logReport(command: string, path: string, log: JudgedLog<unknown>, data: object): Report {
  const { header, judgement, input } = log
  return {
    schema: `resurface/${command}@1`,
    subject: {
      path,
      ...(header !== undefined && { sessionId: header.id, format: header.version }),
      container: input.container,
    },
    verdict: judgement.verdict,
    findings: log.findings.findings().map((finding) => reportFinding(finding, header?.id ?? '')),
    data: data as ReportData,
  }
}

/** The outcome of a command on one log: its exit code, and a remark when the log is not clean. */
export function logOutcome(command: string, path: string, log: JudgedLog<unknown>, data: object): Outcome {
  const { error, warning } = log.judgement.counts
  const notes =
    error + warning > 0
      ? [`${path} has ${error} errors and ${warning} warnings: resurface check ${path}`]
      : []
  return { answer: logReport(command, path, log, data), exitCode: log.judgement.exitCode, notes }
}

export function reportFinding(finding: Finding, sessionId: string): ReportFinding {
  const { code, origin, seq, related, causedBy } = finding
  const { severity, layer } = ruleOf(code)
  const { line, byteOffset, frame, row } = origin
  return {
    code,
    severity,
    layer,
    message: describe(finding),
    ...(seq !== undefined && { seq }),
    ...(line !== undefined && { line }),
    ...(byteOffset !== undefined && { byteOffset }),
    ...(frame !== undefined && { frame }),
    ...(row !== undefined && { row }),
    ...(related !== undefined && related.length > 0 && { related }),
    ...(causedBy !== undefined && { causedBy: fingerprintOf(causedBy, sessionId) }),
    fingerprint: fingerprintOf(finding, sessionId),
  }
}

/** Exit codes of several inputs, worst first. */
const WORST_FIRST = [70, 3, 5, 1, 4, 0]

export function worstExitCode(codes: readonly number[]): number {
  return WORST_FIRST.find((code) => codes.includes(code)) ?? 0
}

/**
 * Runs a command on every log that `names` stand for. One log gives one report; several give a set, in which an
 * input that cannot be read is a note and an exit code, and the rest goes on.
 */
export async function eachLog(
  command: string,
  names: readonly string[],
  run: (path: string) => Promise<Outcome>,
): Promise<Outcome> {
  const inputs = await resolveInputs(names)
  const [only] = inputs
  if (inputs.length === 1 && only !== undefined) return run(only.path)
  const reports: Report[] = []
  const codes: number[] = []
  const notes: string[] = []
  for (const { path } of inputs) {
    try {
      const outcome = await run(path)
      reports.push(outcome.answer as Report)
      codes.push(outcome.exitCode)
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      notes.push(error.message)
      codes.push(error.exitCode)
    }
  }
  return { answer: { schema: `resurface/${command}@1`, reports }, exitCode: worstExitCode(codes), notes }
}
