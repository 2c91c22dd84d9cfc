/**
 * The part that all commands on logs share: open, load once, judge, and report the findings; and the same for
 * several inputs, of which none may hide the others.
 */
import { describe } from '../core/findings/describe.ts'
import { type Finding, fingerprintOf } from '../core/findings/finding.ts'
import type { FindingLog } from '../core/findings/finding-log.ts'
import { ruleOf } from '../core/findings/rules.ts'
import { type Judgement, judge } from '../core/findings/verdict.ts'
import type { Reducer } from '../core/replay/reducer.ts'
import { type LoadedLog, loadLog } from '../load/load-log.ts'
import { InputOpener, type OpenedInput } from '../load/open-input.ts'
import { placeFindings } from '../load/place-findings.ts'
import { reasonOf } from '../load/reason-of.ts'
import { type LogInput, resolveInputs } from '../load/resolve-inputs.ts'
import type { Report, ReportData, ReportFinding, UnreadInput } from '../report/report.ts'
import { fingerprintFile, sameFingerprint } from '../storage/fingerprint.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { CommandContext, Outcome } from './command.ts'

export interface JudgedLog<Results> extends LoadedLog<Results> {
  /** The log as it was named. */
  readonly name: string
  readonly judgement: Judgement
  readonly fileBytes: number
  readonly input: OpenedInput
}

export type ResultsOf<Reducers> = {
  [Key in keyof Reducers]: Reducers[Key] extends Reducer<infer R> ? R : never
}

export interface LoadSettings {
  /** Show the reducers only the events up to this seq. */
  readonly until?: number
}

/** Loads the one log that `name` stands for and hands it to `use` while its input is open. */
export async function withLog<const Reducers extends Record<string, Reducer>, Answer>(
  name: string,
  context: CommandContext,
  reducers: Reducers,
  use: (log: JudgedLog<ResultsOf<Reducers>>) => Answer | Promise<Answer>,
  settings: LoadSettings = {},
): Promise<Answer> {
  const opener = new InputOpener(context)
  try {
    const inputs = await logsNamed([name], context, opener)
    const [input] = inputs
    if (input === undefined || inputs.length > 1) {
      const hint = `Name one of them, for example ${input?.name}`
      throw new ToolError(
        'usage',
        `${name} stands for ${inputs.length} logs, and this command takes one`,
        hint,
      )
    }
    return await withOpened(opener, input, context, reducers, use, settings)
  } finally {
    await opener.close()
  }
}

async function withOpened<const Reducers extends Record<string, Reducer>, Answer>(
  opener: InputOpener,
  input: LogInput,
  context: CommandContext,
  reducers: Reducers,
  use: (log: JudgedLog<ResultsOf<Reducers>>) => Answer | Promise<Answer>,
  settings: LoadSettings,
): Promise<Answer> {
  const opened = await opener.open(input)
  try {
    return await use(await loadInput(input.name, opened, context, reducers, settings))
  } finally {
    await opened.close()
  }
}

async function logsNamed(
  names: readonly string[],
  context: CommandContext,
  opener: InputOpener,
): Promise<readonly LogInput[]> {
  const inputs: LogInput[] = []
  for (const input of await resolveInputs(names, context.storeRoot))
    inputs.push(...(await opener.expand(input)))
  return inputs
}

/** Loads an opened log, and notices when it changes meanwhile. */
export async function loadInput<const Reducers extends Record<string, Reducer>>(
  name: string,
  input: OpenedInput,
  context: CommandContext,
  reducers: Reducers,
  settings: LoadSettings = {},
): Promise<JudgedLog<ResultsOf<Reducers>>> {
  const before = await fingerprintFile(input.file)
  const loaded = await loadLog(input.source, reducers, {
    limits: context.limits,
    policy: context.policy,
    ...settings,
  })
  const { findings, header } = loaded
  const after = await fingerprintFile(input.file).catch(() => undefined)
  if (after === undefined || !sameFingerprint(before, after)) {
    findings.add({ code: 'bytes/changed-while-reading', origin: {}, args: {} })
  }
  for (const finding of input.findings) findings.add(finding)
  for (const finding of await placeFindings(input, header)) findings.add(finding)
  const judgement = judge(findings.counts(), context.failOn, findings.found())
  return { ...loaded, name, judgement, fileBytes: Number(before.size), input } as JudgedLog<
    ResultsOf<Reducers>
  >
}

/** A report on a log, with its findings and the verdict they give. */
export function logReport(command: string, log: JudgedLog<unknown>, data: object): Report {
  const { name, header, judgement, input } = log
  return {
    schema: `resurface/${command}@1`,
    subject: {
      path: name,
      ...(header !== undefined && { sessionId: header.id, format: header.version }),
      container: input.container,
    },
    verdict: judgement.verdict,
    findings: log.findings.findings().map((finding) => reportFinding(finding, log.findings)),
    data: data as ReportData,
  }
}

/** The outcome of a command on one log: its exit code, and a remark when the log is not clean. */
export function logOutcome(command: string, log: JudgedLog<unknown>, data: object): Outcome {
  const { name, judgement } = log
  const { error, warning } = judgement.counts
  const counts = `${error} ${error === 1 ? 'error' : 'errors'} and ${warning} ${warning === 1 ? 'warning' : 'warnings'}`
  const notes = error + warning > 0 ? [`${name} has ${counts}: resurface check ${name}`] : []
  return { answer: logReport(command, log, data), exitCode: judgement.exitCode, notes }
}

function reportFinding(finding: Finding, log: FindingLog): ReportFinding {
  const { sessionId } = log
  const { code, origin, seq, related, causedBy } = finding
  const { layer } = ruleOf(code)
  const severity = log.severityOf(code)
  const { line, byteOffset, byteLength, frame, row } = origin
  return {
    code,
    severity,
    layer,
    message: describe(finding),
    ...(seq !== undefined && { seq }),
    ...(line !== undefined && { line }),
    ...(byteOffset !== undefined && { byteOffset }),
    ...(byteLength !== undefined && { byteLength }),
    ...(frame !== undefined && { frame }),
    ...(row !== undefined && { row }),
    ...(related !== undefined && related.length > 0 && { related }),
    ...(causedBy !== undefined && { causedBy: fingerprintOf(causedBy, sessionId) }),
    fingerprint: fingerprintOf(finding, sessionId),
  }
}

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
export function asToolError(error: unknown, path: string): ToolError | undefined {
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
