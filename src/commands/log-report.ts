/** The part that all commands on logs share: open, load once, judge, and report the findings. */
import type { SessionHeader } from '../core/event/session-event.ts'
import { describe } from '../core/findings/describe.ts'
import { type Finding, fingerprintOf } from '../core/findings/finding.ts'
import type { FindingLog } from '../core/findings/finding-log.ts'
import { ruleOf } from '../core/findings/rules.ts'
import { type Judgement, judge } from '../core/findings/verdict.ts'
import type { Reducer } from '../core/replay/reducer.ts'
import { InputOpener, type OpenedInput } from '../load/inputs/open-input.ts'
import { placeFindings } from '../load/inputs/place-findings.ts'
import { type LogInput, onlyInput, resolveInputs } from '../load/inputs/resolve-inputs.ts'
import { type LoadedLog, loadLog, type ResultsOf } from '../load/sessions/load-log.ts'
import {
  type Report,
  type ReportData,
  type ReportFinding,
  type ReportKind,
  schemaName,
} from '../report/report.ts'
import { shellWord } from '../report/shell-word.ts'
import { fingerprintFile, sameFingerprint } from '../storage/fingerprint.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { CommandContext, LogOutcome } from './definition/command.ts'

export interface JudgedLog<Results> extends LoadedLog<Results> {
  /** The log as it was named. */
  readonly name: string
  readonly judgement: Judgement
  readonly fileBytes: number
  readonly input: OpenedInput
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
    const input = onlyInput(name, await logsNamed([name], context, opener))
    return await withOpened(opener, input, context, reducers, use, settings)
  } finally {
    await opener.close()
  }
}

/** Loads one input and hands it to `use` while it is open. */
export async function withOpened<const Reducers extends Record<string, Reducer>, Answer>(
  opener: InputOpener,
  input: LogInput,
  context: CommandContext,
  reducers: Reducers,
  use: (log: JudgedLog<ResultsOf<Reducers>>) => Answer | Promise<Answer>,
  settings: LoadSettings = {},
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
  await addInputFindings(findings, input, header)
  const judgement = judge(findings.counts(), context.failOn, findings.found())
  return { ...loaded, name, judgement, fileBytes: Number(before.size), input } as JudgedLog<
    ResultsOf<Reducers>
  >
}

/** For an answer that a file which is no log must not get: a hash of nothing is a lock on nothing. */
export function mustBeLog({ name, judgement }: JudgedLog<unknown>): void {
  if (judgement.exitCode === 3) throw new ToolError('input', `${name} is not a session log`)
}

/** What the container and the place of a log say, beside what is in it. */
export async function addInputFindings(
  findings: FindingLog,
  input: Pick<OpenedInput, 'file' | 'session' | 'holds' | 'findings'>,
  header: SessionHeader | undefined,
): Promise<void> {
  for (const finding of input.findings) findings.add(finding)
  for (const finding of await placeFindings(input, header)) findings.add(finding)
}

/** What a report is made of. */
export type ReportedLog = Pick<JudgedLog<unknown>, 'name' | 'header' | 'judgement' | 'findings'> & {
  readonly input: Pick<OpenedInput, 'container'>
}

/** A report on a log, with its findings and the verdict they give. */
export function logReport<Kind extends ReportKind>(
  kind: Kind,
  log: ReportedLog,
  data: ReportData<Kind>,
): Report<Kind> {
  const { name, header, judgement, input } = log
  return {
    schema: schemaName(kind),
    subject: {
      path: name,
      ...(header !== undefined && { sessionId: header.id, format: header.version }),
      container: input.container,
    },
    verdict: judgement.verdict,
    findings: log.findings.findings().map((finding) => reportFinding(finding, log.findings)),
    data,
  }
}

/** The outcome of a command on one log: its exit code, and a remark when the log is not clean. */
export function logOutcome<Kind extends ReportKind>(
  kind: Kind,
  log: ReportedLog,
  data: ReportData<Kind>,
): LogOutcome<Kind> {
  const { name, judgement } = log
  const { error, warning } = judgement.counts
  const counts = `${error} ${error === 1 ? 'error' : 'errors'} and ${warning} ${warning === 1 ? 'warning' : 'warnings'}`
  const notes = error + warning > 0 ? [`${name} has ${counts}: resurface check ${shellWord(name)}`] : []
  return { answer: logReport(kind, log, data), exitCode: judgement.exitCode, notes }
}

export function reportFinding(finding: Finding, log: FindingLog): ReportFinding {
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
