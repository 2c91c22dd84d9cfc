/** A log that was opened, read once and judged: what every command on logs begins with. */
import type { SessionHeader } from '../../core/event/session-event.ts'
import type { FindingLog } from '../../core/findings/finding-log.ts'
import type { Policy } from '../../core/findings/policy.ts'
import { type FailOn, type Judgement, judge } from '../../core/findings/verdict.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import { fingerprintFile, sameFingerprint } from '../../storage/fingerprint.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { type LoadedLog, loadLog, type ResultsOf } from '../sessions/load-log.ts'
import { InputOpener, type OpenedInput, type OpenOptions } from './open-input.ts'
import { placeFindings } from './place-findings.ts'
import { type LogInput, onlyInput, resolveInputs } from './resolve-inputs.ts'

export interface JudgedLog<Results> extends LoadedLog<Results> {
  /** The log as it was named. */
  readonly name: string
  readonly judgement: Judgement
  readonly fileBytes: number
  readonly input: OpenedInput
}

export interface JudgingOptions extends OpenOptions {
  readonly policy: Policy
  readonly failOn: FailOn
  /** Directory of sessions in which ids are looked up. */
  readonly storeRoot: string
  /** What standard input is called. */
  readonly stdinName?: string | undefined
}

export interface LoadSettings {
  /** Show the reducers only the events up to this seq. */
  readonly until?: number
}

/** Loads the one log that `name` stands for and hands it to `use` while its input is open. */
export async function withLog<const Reducers extends Record<string, Reducer>, Answer>(
  name: string,
  context: JudgingOptions,
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
  context: JudgingOptions,
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
  context: JudgingOptions,
  opener: InputOpener,
): Promise<readonly LogInput[]> {
  const inputs: LogInput[] = []
  for (const input of await resolveInputs(names, context.storeRoot, context))
    for (const one of await opener.expand(input)) inputs.push(one)
  return inputs
}

/** Loads an opened log, and notices when it changes meanwhile. */
export async function loadInput<const Reducers extends Record<string, Reducer>>(
  name: string,
  input: OpenedInput,
  context: JudgingOptions,
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
