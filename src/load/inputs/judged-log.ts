/** A log that was opened, read once and judged: what every answer about a log begins with. */
import type { SessionHeader } from '../../core/event/session-event.ts'
import type { Finding } from '../../core/findings/finding.ts'
import type { FindingLog } from '../../core/findings/finding-log.ts'
import type { Policy } from '../../core/findings/policy.ts'
import { ruleOf } from '../../core/findings/rules.ts'
import { type FailOn, type Judgement, judge } from '../../core/findings/verdict.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import { fingerprintFile, sameFingerprint } from '../../storage/fingerprint.ts'
import { userOf } from '../../storage/rewrite/live-writer.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { endOf, type LoadedLog, loadSteps, type ResultsOf } from '../sessions/load-log.ts'
import { locationFindings } from './location-findings.ts'
import type { OpenedInput, OpenOptions } from './open-input.ts'

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
}

export interface LoadSettings {
  /** Show the reducers only the events up to this seq. */
  readonly until?: number
  /** No reducer asks what the streams of answers hold. */
  readonly skipsStreams?: boolean
}

/** For answers that say nothing of how a message came, piece by piece. */
export const SKIPS_STREAMS: LoadSettings = { skipsStreams: true }

/** Loads an opened log, and notices when it changes meanwhile. */
export async function loadInput<const Reducers extends Record<string, Reducer>>(
  name: string,
  input: OpenedInput,
  context: JudgingOptions,
  reducers: Reducers,
  settings: LoadSettings = {},
): Promise<JudgedLog<ResultsOf<Reducers>>> {
  return endOf(loadInputSteps(name, input, context, reducers, settings))
}

/** The same step by step, for a caller that takes what the reducers give out meanwhile. */
export async function* loadInputSteps<const Reducers extends Record<string, Reducer>>(
  name: string,
  input: OpenedInput,
  context: JudgingOptions,
  reducers: Reducers,
  settings: LoadSettings = {},
): AsyncGenerator<unknown, JudgedLog<ResultsOf<Reducers>>, void> {
  const before = await fingerprintFile(input.file)
  const { limits, policy } = context
  const loaded = yield* loadSteps(input.source, reducers, { limits, policy, ...settings })
  const { findings, header } = loaded
  const after = await fingerprintFile(input.file).catch(() => undefined)
  if (after === undefined || !sameFingerprint(before, after)) {
    findings.add({ code: 'bytes/changed-while-reading', origin: {}, args: {} })
  }
  await addInputFindings(findings, input, header, context)
  for (const finding of await writerFindings(input, findings)) findings.add(finding)
  const judgement = judge(findings.counts(), context.failOn, findings.found())
  return { ...loaded, name, judgement, fileBytes: Number(before.size), input }
}

/** Whether somebody is at work on a log that is open at its end: then no crash left it so. */
async function writerFindings(
  { replaceable, container }: OpenedInput,
  findings: FindingLog,
): Promise<readonly Finding[]> {
  const isOpen = [...findings.found()].some((code) => ruleOf(code).settledLater === true)
  if (!isOpen || replaceable === undefined) return []
  const user = await userOf(replaceable.path)
  if (user === undefined) return []
  const { process: pid, holds } = user
  const args = { pid, holds: holds === 'log' && container === 'sqlite' ? 'database' : holds } as const
  return [{ code: 'store/running', origin: {}, args }]
}

/** For an answer that a file which is no log must not get: a hash of nothing is a lock on nothing. */
export function mustBeLog({ name, judgement }: JudgedLog<unknown>): void {
  if (judgement.exitCode === 3) throw new ToolError('input', `${name} is not a session log`)
}

/** What the container and the place of a log say, apart from what is in it. */
export async function addInputFindings(
  findings: FindingLog,
  input: Pick<OpenedInput, 'file' | 'replaceable' | 'session' | 'sessions' | 'findings'>,
  header: SessionHeader | undefined,
  { allows }: Pick<OpenOptions, 'allows'>,
): Promise<void> {
  for (const finding of input.findings) findings.add(finding)
  for (const finding of await locationFindings(input, header, allows)) findings.add(finding)
}
