/**
 * One log, read and replayed once: bytes in, findings and the results of the reducers out. Every command goes
 * through here, so all of them see the same log.
 */
import { allChecks } from '../../core/checks/all-checks.ts'
import { isFormatVersion } from '../../core/dialect/dialect.ts'
import type { SessionEvent, SessionHeader } from '../../core/event/session-event.ts'
import type { Finding, FindingSink } from '../../core/findings/finding.ts'
import { FindingLog } from '../../core/findings/finding-log.ts'
import type { Origin } from '../../core/findings/origin.ts'
import type { Policy } from '../../core/findings/policy.ts'
import { ruleOf } from '../../core/findings/rules.ts'
import type { Reducer, ReplayEnd } from '../../core/replay/reducer.ts'
import { Replay } from '../../core/replay/replay.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { SpooledTexts } from '../../storage/spooled-texts.ts'
import { type PhysicalLayout, SessionReader } from '../reading/session-reader.ts'
import { FindingCauses } from './finding-causes.ts'

export interface LoadedLog<Results> {
  readonly header: SessionHeader | undefined
  readonly findings: FindingLog
  readonly results: Results
  readonly end: ReplayEnd
  readonly layout: PhysicalLayout
}

export type ResultsOf<Reducers> = {
  [Key in keyof Reducers]: Reducers[Key] extends Reducer<infer R> ? R : never
}

export interface LoadOptions {
  readonly limits: ReadLimits
  /** How findings are to be taken. */
  readonly policy?: Policy
  /** Show the reducers only the events up to this seq, itself included. */
  readonly until?: number
  /** No reducer asks what the streams of answers hold, beyond what the readers of the format look at. */
  readonly skipsStreams?: boolean
  /** Is told of every finding that the policy does not leave out, as soon as it is certain. */
  readonly found?: FindingSink
}

/** What is known of a log while it is read. */
export interface LogSoFar {
  readonly header: SessionHeader | undefined
  readonly findings: FindingLog
}

export async function loadLog<const Reducers extends Record<string, Reducer>>(
  source: RecordSource,
  reducers: Reducers,
  options: LoadOptions,
): Promise<LoadedLog<ResultsOf<Reducers>>> {
  return endOf(loadSteps(source, reducers, options))
}

/** What the steps come to, for anyone who need not look on. */
export async function endOf<End>(steps: AsyncGenerator<unknown, End, void>): Promise<End> {
  for (;;) {
    const step = await steps.next()
    if (step.done === true) return step.value
  }
}

/** The same step by step, for anyone who looks on while the log is read. It goes on when it is asked to. */
export async function* loadSteps<const Reducers extends Record<string, Reducer>>(
  source: RecordSource,
  reducers: Reducers,
  options: LoadOptions,
): AsyncGenerator<LogSoFar, LoadedLog<ResultsOf<Reducers>>, void> {
  const findings = new FindingLog(options.policy)
  findings.onFinding = options.found
  let header: SessionHeader | undefined
  // What a format means that nobody here knows cannot be judged, only whether its bytes are whole.
  const add: FindingSink = (finding) => {
    const isReported = header === undefined || isFormatVersion(header.version) || isPhysical(finding)
    if (isReported) findings.add(finding)
  }
  const causes = new FindingCauses(add, (finding) => findings.withdraw(finding))
  const checks = allChecks(causes.report)
  const viewers = Object.values(reducers)
  const { until } = options
  const replay = new Replay(until === undefined ? [...checks, ...viewers] : checks, causes.report, makeTexts)
  // A view of an earlier moment has a replay of its own: the findings are still those of the whole log.
  const viewed = until === undefined ? replay : new Replay(viewers, () => {}, makeTexts)
  const reader = new SessionReader(source, options.limits, {
    withRuns: viewed === replay && replay.takesRuns,
    skipsStreams: options.skipsStreams === true,
    observers: viewers,
  })
  const push = (event: SessionEvent, origin: Origin): void => {
    replay.push(event, origin)
    if (until !== undefined && event.seq <= until) viewed.push(event, origin)
    causes.pass(event)
  }
  for await (const items of reader.items()) {
    for (const item of items) {
      if (item.kind === 'header') {
        header = item.header
        findings.sessionId = item.header.id
        replay.begin(item.header)
        if (viewed !== replay) viewed.begin(item.header)
      } else if (item.kind === 'finding') {
        add(causes.notice(item.finding))
      } else if (item.kind === 'event') push(item.event, item.origin)
      else if (item.kind === 'gap') {
        replay.gap(item.gap)
        if (until !== undefined && item.gap.first <= until) viewed.gap(item.gap)
      } else if (!replay.takeRun(item.run, item.origin)) {
        for (const { event, origin } of item.events()) push(event, origin)
      }
    }
    yield { header, findings }
  }
  const end = replay.end()
  for (const check of checks) check.finish(end)
  const moment = viewed.end()
  const results = Object.fromEntries(
    Object.entries(reducers).map(([key, reducer]) => [key, reducer.finish(moment)]),
  )
  return {
    header: reader.header,
    findings,
    results: results as ResultsOf<Reducers>,
    end,
    layout: reader.layout,
  }
}

function makeTexts(): SpooledTexts {
  return new SpooledTexts()
}

function isPhysical({ code }: Finding): boolean {
  const { layer, anyFormat } = ruleOf(code)
  return layer === 'bytes' || anyFormat === true
}
