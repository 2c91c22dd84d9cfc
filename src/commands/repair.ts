/**
 * `repair`: the plan of what would change, and on demand the repaired log: a copy, or in the place of the original with
 * a backup. What a plan file holds is what is done with it, on the log it was made for and no other.
 */

import type { FindingCount } from '../core/findings/finding-log.ts'
import { present } from '../core/json/json-value.ts'
import { KEEPS } from '../core/repair/arrange-runs.ts'
import type { InputOpener } from '../load/inputs/open-input.ts'
import { resolveInputs } from '../load/inputs/resolve-inputs.ts'
import type { Log } from '../log/log.ts'
import { withLog, withOpened } from '../log/open-log.ts'
import { planRepair, type RepairPlan } from '../log/plan-repair.ts'
import { type RepairTarget, type WrittenFiles, writeRepair, writeSessions } from '../log/write-repair.ts'
import { logReport } from '../report/log-report.ts'
import { type ReportData, reportSetOf } from '../report/report.ts'
import { containerOf } from '../storage/detect.ts'
import { isRegularFile, mustNotReplaceLog } from '../storage/output-guard.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, LOG_ARGUMENT, type Outcome } from './definition/command.ts'
import { choice, flag, list, text, type ValuesOf, value } from './definition/option.ts'
import { parseBoundary, parseModel, parseSeq } from './definition/option-values.ts'
import { releaseOption } from './definition/release-option.ts'
import { wholeOutcome } from './definition/whole-outcome.ts'
import { eachLog } from './many-logs/each-log.ts'
import {
  helpfulCommands,
  installCommand,
  likeCommands,
  placeCommands,
  upgradeCommands,
} from './repair/next-commands.ts'
import {
  type ChosenOptions,
  mustBeThePlan,
  readPlan,
  type SavedPlan,
  savedPlan,
  writePlan,
} from './repair/plan-file.ts'

const OPTIONS = {
  write: flag('write the repaired log next to the original, as NAME.repaired.jsonl'),
  inPlace: flag('replace the log, and keep a backup for "undo"'),
  plan: text('<file>', 'save the plan', { file: 'written' }),
  apply: text('<file>', 'do what a saved plan says, if the log is still the one it is for', { file: 'read' }),
  branch: choice('<branch>', KEEPS, 'which branch stays where two writers clashed (default: living)'),
  allowUnknown: flag('mark events of unknown types ignorable'),
  drop: list('<seq>', parseSeq, 'take this event out, to quarantine; may be given several times'),
  dropWaiting: flag('take the messages out of the inbox that wait in it; they stay in the log'),
  like: text(
    '<log>',
    'another session of the same store: take from its header what a lost one shares with it',
  ),
  model: value('<provider/model>', parseModel, 'what to name where the log names no provider and model'),
  partial: flag('write what can be mended, although DSH still refuses the result'),
  truncateAfter: value('<place>', parseBoundary, 'remove everything after turn:N or seq:N'),
  target: releaseOption('change what this release, and those before it, refuse'),
}

type RepairChoices = ValuesOf<typeof OPTIONS>

export const command = defineCommand({
  arguments: [
    [
      '[logs...]',
      `${LOG_ARGUMENT}; of a database all sessions; with --target also several logs, or directories`,
    ],
  ],
  options: OPTIONS,
  exits: {
    0: 'nothing to repair, or done and verified',
    1: 'a plan that would change something; nothing was written',
    5: 'it cannot be repaired without a choice or at all, or a process is writing to it',
  },
  examples: [
    'resurface repair session.jsonl',
    'resurface repair session.jsonl -o repaired.jsonl',
    'resurface repair session.jsonl --in-place',
    'resurface repair sessions.db --in-place',
    'resurface repair session.jsonl --plan plan.json && resurface repair --apply plan.json --write',
    'resurface repair ~/.dsh/sessions --target format-3 --in-place',
  ],
  writesOutput: true,
  run: ([logs], options, context) => repair(logs, options, context),
})

async function repair(
  logs: readonly string[],
  options: RepairChoices,
  context: CommandContext,
): Promise<Outcome> {
  const saved = options.apply === undefined ? undefined : await readPlan(options.apply)
  const [name = saved?.log, ...others] = logs
  if (name === undefined) throw new ToolError('usage', 'name a log, or a plan with --apply')
  mustBeOneTarget(options, context)
  if (saved !== undefined) mustNotChoose(options)
  const isOne = isAboutOne(options)
  const isDatabase = !isOne && (await areOfOneDatabase(saved === undefined ? logs : [name], context))
  const isSeveral = isDatabase || (!isOne && options.target !== undefined && context.output === undefined)
  if (others.length > 0 && !isSeveral) throw new ToolError('usage', ONE_LOG)
  const dropped = options.drop ?? []
  const wanted = saved?.options ?? {
    keep: options.branch ?? 'living',
    allowUnknown: options.allowUnknown,
    ...(dropped.length > 0 && { drop: dropped }),
    ...(options.dropWaiting && { dropWaiting: true as const }),
    ...present({
      like: options.like,
      model: options.model,
      truncateAfter: options.truncateAfter,
      target: options.target,
    }),
  }
  const asked = { name, saved, wanted, options, context }
  if (!isSeveral) return withLog(name, context, (log) => repaired(log, asked))
  // What writes is not divided between threads: an interrupt finds one log at work.
  const { startWorkers: _, ...alone } = context
  const databases = new Map<string, Promise<ReadonlyMap<string, Outcome>>>()
  const each = await eachLog('repair', logs, alone, async (opener, input) => {
    if (input.session === undefined || targetOf(options, context) === undefined)
      return withOpened(opener, input, context, (log) => repaired(log, asked))
    const outcomes = databases.get(input.path) ?? repairedTogether(opener, input.path, logs, asked)
    databases.set(input.path, outcomes)
    return (await outcomes).get(input.name) as Outcome
  })
  return wholeOutcome(each)
}

const ONE_LOG =
  'several logs can be repaired at once with --target, or when they are sessions of one database, and without --plan, --apply, --drop, --like and --truncate-after'

/** What is said of one log and no other. */
function isAboutOne({ plan, apply, drop = [], like, truncateAfter }: RepairChoices): boolean {
  return drop.length > 0 || [plan, apply, like, truncateAfter].some((chosen) => chosen !== undefined)
}

/** Whether all that is named lies in one database. */
async function areOfOneDatabase(names: readonly string[], context: CommandContext): Promise<boolean> {
  const inputs = await resolveInputs(names, context.storeRoot, context)
  const [path, ...others] = new Set(inputs.map((input) => input.path))
  if (path === undefined || others.length > 0 || !(await isRegularFile(path))) return false
  // Why it cannot be read is said by who opens it.
  return (await containerOf(path).catch(() => undefined)) === 'sqlite'
}

/**
 * Sessions of one database are planned each for itself and written at once: there is one backup, and no session is lost
 * that was named with the others.
 *
 * @returns the outcomes by the names of the inputs.
 */
async function repairedTogether(
  opener: InputOpener,
  path: string,
  names: readonly string[],
  asked: Asked,
): Promise<ReadonlyMap<string, Outcome>> {
  const { context, options } = asked
  const target = targetOf(options, context) as RepairTarget
  if (typeof target === 'object') await mustNotReplaceLog(target.file, new Set([...context.opened, path]))
  const outcomes = new Map<string, Outcome>()
  const prepared: PreparedRepair[] = []
  for (const named of await resolveInputs(names, context.storeRoot, context)) {
    if (named.path !== path) continue
    for (const input of await opener.expand(named)) {
      const one = await withOpened(opener, input, context, (log) => prepare(log, asked))
      if (!('plan' in one)) outcomes.set(input.name, one)
      else if (one.plan.steps.length > 0) prepared.push(one)
      else outcomes.set(input.name, await outcomeOf(one, {}, asked))
    }
  }
  const [first, ...rest] = prepared.map(({ plan }) => plan)
  if (first === undefined) return outcomes
  const isPartial = prepared.some((one) => one.isPartial)
  const written = await writeSessions([first, ...rest], target, isPartial)
  for (const one of prepared) outcomes.set(one.plan.log.name, await outcomeOf(one, written, asked))
  return outcomes
}

interface Asked {
  readonly name: string
  readonly saved: SavedPlan | undefined
  readonly wanted: ChosenOptions
  readonly options: RepairChoices
  readonly context: CommandContext
}

async function repaired(log: Log, asked: Asked): Promise<Outcome<'repair'>> {
  const prepared = await prepare(log, asked)
  if (!('plan' in prepared)) return prepared
  const { plan, isPartial } = prepared
  const target = targetOf(asked.options, asked.context)
  const written = target && (await writeRepair(plan, target, { partial: isPartial }))
  return outcomeOf(prepared, written, asked)
}

interface PreparedRepair {
  readonly plan: RepairPlan
  readonly isPartial: boolean
}

/** The plan of what can be written, or that nothing can be. */
async function prepare(
  log: Log,
  { name, saved, wanted, options, context }: Asked,
): Promise<PreparedRepair | Outcome<'repair'>> {
  const plan = await planRepair(log, wanted)
  const { log: _, reading, planned, options: chosen, ...mended } = plan
  const data = dataOf(plan, targetOf(options, context))
  const { source } = log.input
  const isPartial = options.partial && data.steps.length > 0
  if (data.refused !== undefined && !isPartial) {
    const isNoLog = reading.judgement.exitCode === 3
    const helpful = isNoLog ? [] : await helpfulCommands(log.name, source, planned, chosen)
    const lacksHeader = data.refused.some((reason) => reason.startsWith('header/'))
    const like = lacksHeader && !isNoLog ? await likeCommands(log, chosen) : []
    const commands = [...placeCommands(log.input.path, reading.findings.findings()), ...like, ...helpful]
    const report = logReport('repair', reading, { ...data, ...(commands.length > 0 && { commands }) })
    return { reportSet: reportSetOf(report), exitCode: isNoLog ? 3 : 5 }
  }
  if (saved !== undefined || options.plan !== undefined) {
    const made = await savedPlan(name, reading, mended, wanted)
    if (saved !== undefined) mustBeThePlan(saved, made)
    if (options.plan !== undefined) await writePlan(options.plan, made, context)
  }
  return { plan, isPartial }
}

async function outcomeOf(
  { plan, isPartial }: PreparedRepair,
  written: WrittenFiles | undefined,
  { options, context }: Asked,
): Promise<Outcome<'repair'>> {
  const { log, reading, planned, options: chosen, ...mended } = plan
  const target = targetOf(options, context)
  const data = dataOf(plan, target)
  const { source } = log.input
  const moves =
    data.remaining !== mended.remaining ? placeCommands(log.input.path, reading.findings.findings()) : []
  const others =
    mended.remaining === undefined
      ? await upgradeCommands(log.name, source, planned, chosen)
      : written === undefined
        ? await helpfulCommands(log.name, source, planned, chosen)
        : []
  const commands = [...moves, ...others]
  const isCopy = written?.output !== undefined && target !== 'in-place'
  const install = isCopy ? installCommand(log, chosen, isPartial) : undefined
  const isOpenEnd =
    data.remaining !== undefined ||
    data.refused !== undefined ||
    (written === undefined && data.steps.length > 0)
  return {
    reportSet: reportSetOf(
      logReport('repair', reading, {
        ...data,
        ...(commands.length > 0 && { commands }),
        ...written,
        ...(install !== undefined && { install }),
      }),
    ),
    exitCode: isOpenEnd ? 1 : 0,
  }
}

function dataOf(
  { log: _log, planned: _planned, options: _options, reading, ...mended }: RepairPlan,
  target: RepairTarget | undefined,
): ReportData<'repair'> {
  const isInPlace = target === undefined || target === 'in-place'
  return isInPlace ? withLocationErrors(mended, reading.findings.counts()) : mended
}

/** A log that is repaired where it lies is still refused when that is the wrong place; a copy has a place of its own. */
function withLocationErrors<Data extends Pick<ReportData<'repair'>, 'remaining' | 'steps'>>(
  data: Data,
  counts: readonly FindingCount[],
): Data {
  const errors = counts.filter(
    ({ code, severity }) =>
      severity === 'error' && (code === 'store/misplaced' || code === 'store/generation-mismatch'),
  )
  if (errors.length === 0 || data.steps.length === 0) return data
  return {
    ...data,
    remaining: [...(data.remaining ?? []), ...errors.map(({ code, count }) => ({ code, count }))],
  }
}

function targetOf({ write, inPlace }: RepairChoices, { output }: CommandContext): RepairTarget | undefined {
  if (inPlace) return 'in-place'
  if (write) return 'next-to-log'
  return output === undefined ? undefined : { file: output }
}

function mustBeOneTarget({ write, inPlace }: RepairChoices, { output }: CommandContext): void {
  const targets = [write, inPlace, output !== undefined].filter((isChosen) => isChosen)
  if (targets.length > 1) throw new ToolError('usage', 'choose one of -o, --write and --in-place')
}

/** A choice that would not be heeded is no choice. */
function mustNotChoose(choices: RepairChoices): void {
  const { branch, allowUnknown, drop = [], dropWaiting, like, model, truncateAfter, target } = choices
  const isChosen = [branch, like, model, truncateAfter, target].some((choice) => choice !== undefined)
  if (!isChosen && !allowUnknown && !dropWaiting && drop.length === 0) return
  throw new ToolError(
    'usage',
    'the plan says what is kept and cut off, so --branch, --allow-unknown, --drop, --drop-waiting, --like, --model, --truncate-after and --target cannot be given with it',
    'Make another plan with --plan.',
  )
}
