/** What a repair of a log would change. Nothing is written; `write-repair.ts` carries a plan out. */

import type { SessionHeader } from '../core/event/session-event.ts'
import { present } from '../core/json/json-value.ts'
import type { Keep } from '../core/repair/arrange-runs.ts'
import type { PlacedGap } from '../core/replay/gap.ts'
import type { JudgedLog } from '../load/inputs/judged-log.ts'
import { pathOf } from '../load/inputs/open-input.ts'
import type { Boundary } from '../load/repair/cut-place.ts'
import { type Examined, examination } from '../load/repair/examine.ts'
import { type PlannedRepair, planRepair as planMending } from '../load/repair/plan-repair.ts'
import type { RepairOptions } from '../load/repair/repair-options.ts'
import type { ReportData } from '../report/report.ts'
import { wordsOfStep } from '../report/views/repair-words.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type Log, releaseNamed } from './log.ts'
import { withLog } from './open-log.ts'

/** What may be chosen. The same choices on the same log give the same plan. */
export interface RepairChoices {
  /** Which branch stays where two writers clashed: the one that continues (`living`, when absent), or another. */
  readonly keep?: Keep
  /** Mark events of unknown types ignorable. */
  readonly allowUnknown?: boolean
  /** Take out the events with these seqs. */
  readonly drop?: readonly number[]
  /** Take the messages that wait in the inbox out of it. */
  readonly dropWaiting?: boolean
  /** Another session of the same store, named as for `openLog`: what a lost header shares with its header. */
  readonly like?: string
  /** What to name where the log names no provider and model. */
  readonly model?: { readonly provider: string; readonly model: string }
  /** Remove everything after this turn or event. */
  readonly truncateAfter?: Boundary
  /** A release of DSH by its line, its number or `latest`: change what it and those before it refuse. */
  readonly target?: string
}

/** The steps in words and as data, what they add and lose, and what would be left. */
export type RepairPlan = ReportData<'repair'> & {
  readonly log: Log
  /** The log as it is. */
  readonly reading: JudgedLog<Examined['results']>
  /** The log as it would be. */
  readonly planned: PlannedRepair
  readonly options: RepairOptions
}

/**
 * Plans the repair of a log. A plan with `refused` says why DSH would still not open the result; `steps` are those that
 * can be done all the same. A plan without steps has nothing to write.
 */
export async function planRepair(log: Log, choices: RepairChoices = {}): Promise<RepairPlan> {
  const {
    keep = 'living',
    allowUnknown = false,
    drop,
    dropWaiting,
    like,
    model,
    truncateAfter,
    target,
  } = choices
  const { input, context } = log
  const options: RepairOptions = {
    keep,
    allowUnknown,
    ...(drop !== undefined && { drop }),
    ...(dropWaiting === true && { dropWaiting }),
    ...(like !== undefined && { like: { name: like, header: await headerOf(like, log) } }),
    ...present({ model, truncateAfter }),
    ...(target !== undefined && { target: releaseNamed(target) }),
    limits: context.limits,
    file: pathOf(input),
  }
  const reading = await log.read(examination(options))
  const planned = await planMending(input.source, reading, options)
  return { ...dataOf(reading, planned), log, reading, planned, options }
}

async function headerOf(name: string, { context }: Log): Promise<SessionHeader> {
  const { header } = await withLog(name, context, (log) => log.read({}))
  if (header === undefined) throw new ToolError('usage', `${name} has no header`, 'Name another session.')
  return header
}

function dataOf(reading: RepairPlan['reading'], planned: PlannedRepair): ReportData<'repair'> {
  const { steps, closers, inserted, notes, refused, outcome } = planned
  const losses = lossesOf(planned, reading.results.gaps.kept)
  const before = reading.results.digests
  const { digests: after, waiting } = outcome.results
  const remaining = outcome.findings
    .counts()
    .filter(({ severity }) => severity === 'error')
    .map(({ code, count }) => ({ code, count }))
  return {
    steps: steps.map((step) => ({ ...step, ...wordsOfStep(step) })),
    closers,
    ...(inserted.length > 0 && { inserted }),
    ...(notes.length > 0 && { notes }),
    digests: {
      surface: { before: before.surface, after: after.surface },
      transcript: { before: before.transcript, after: after.transcript },
    },
    ...(losses.length > 0 && { losses }),
    ...(waiting.length > 0 && { waiting: waiting.map(({ seq, text }) => ({ seq, text })) }),
    ...(refused.length > 0 && { refused }),
    ...(remaining.length > 0 && { remaining }),
  }
}

function lossesOf(
  { losses, lostAtEnd }: Pick<PlannedRepair, 'losses' | 'lostAtEnd'>,
  gaps: readonly PlacedGap[],
): readonly PlacedGap[] {
  const lost = losses
    .filter(({ first, end, filled }) => end - first > filled)
    .map((loss) => lossOf(loss, gaps))
  const last = gaps.at(-1)
  if (lostAtEnd === undefined || last === undefined || last.last !== undefined) return lost
  // Of the end, whole rows are kept. Nothing tells how many events a torn frame had.
  if (last.events === undefined) return [...lost, last]
  const { events, texts } = lostAtEnd
  const { texts: _, ...end } = last
  return events === 0 ? lost : [...lost, { ...end, events, ...(texts.length > 0 && { texts }) }]
}

function lossOf(
  { first, end, filled, turn, step }: PlannedRepair['losses'][number],
  gaps: readonly PlacedGap[],
): PlacedGap {
  const place = { ...present({ turn, step }) }
  const { kind = 'missing', texts } =
    gaps.find((gap) => gap.kind !== 'dropped' && gap.first < end && (gap.last ?? gap.first) >= first) ?? {}
  return { kind, first, last: end - 1, events: end - first - filled, ...place, ...(texts && { texts }) }
}
