/**
 * `repair`: the plan of what would change, and on demand the repaired log: a copy, or in the place of the original with
 * a backup. What a plan file holds is what is done with it, on the log it was made for and no other.
 */
import { basename } from 'node:path'
import { KEEPS } from '../core/repair/arrange-runs.ts'
import { type JudgedLog, withLog, withOpened } from '../load/inputs/judged-log.ts'
import { LOG_IS_SAFE, writeCopy, writing } from '../load/outputs/writing.ts'
import { type Examined, examination } from '../load/repair/examine.ts'
import { type PlannedRepair, planRepair } from '../load/repair/plan-repair.ts'
import type { RepairOptions } from '../load/repair/repair-options.ts'
import { mustFit, type RepairTarget, type WrittenRepair, writeRepair } from '../load/repair/write-repair.ts'
import { logReport } from '../report/log-report.ts'
import { answerOf, type ReportData } from '../report/report.ts'
import { wordsOfStep } from '../report/views/repair-words.ts'
import type { Fingerprint } from '../storage/fingerprint.ts'
import { nameBeside } from '../storage/name-beside.ts'
import { mustNotReplaceLog } from '../storage/output-guard.ts'
import { mustBeAtRest } from '../storage/rewrite/live-writer.ts'
import { replaceLog } from '../storage/rewrite/replace-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import {
  type CommandContext,
  defineCommand,
  LOG_ARGUMENT,
  type Outcome,
  type PerLog,
} from './definition/command.ts'
import { choice, flag, list, text, type ValuesOf, value } from './definition/option.ts'
import { parseBoundary, parseSeq } from './definition/option-values.ts'
import { releaseOption } from './definition/release-option.ts'
import { eachLog } from './many-logs/each-log.ts'
import { helpfulCommands, upgradeCommands } from './repair/next-commands.ts'
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
  plan: text('<file>', 'save the plan'),
  apply: text('<file>', 'do what a saved plan says, if the log is still the one it is for'),
  branch: choice('<branch>', KEEPS, 'which branch stays where two writers clashed (default: living)'),
  allowUnknown: flag('mark events of unknown types ignorable'),
  drop: list('<seq>', parseSeq, 'take this event out, to quarantine; may be given several times'),
  partial: flag('write what can be mended, although DSH still refuses the result'),
  truncateAfter: value('<place>', parseBoundary, 'remove everything after turn:N or seq:N'),
  target: releaseOption('change what this release, and those before it, refuse'),
}

type RepairChoices = ValuesOf<typeof OPTIONS>

export const command = defineCommand({
  arguments: [['[logs...]', `${LOG_ARGUMENT}; with --target also several, or directories`]],
  options: OPTIONS,
  examples: [
    'resurface repair session.jsonl',
    'resurface repair session.jsonl -o repaired.jsonl',
    'resurface repair session.jsonl --in-place',
    'resurface repair session.jsonl --plan plan.json && resurface repair --apply plan.json --write',
    'resurface repair ~/.dsh/sessions --target format-3 --in-place',
  ],
  writesOutput: true,
  run: ([logs], options, context) => repair(logs, options, context),
})

type ExaminedLog = JudgedLog<Examined['results']>

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
  if (others.length > 0 && (options.target === undefined || isAboutOne(options, context)))
    throw new ToolError('usage', ONE_LOG)
  const dropped = options.drop ?? []
  const wanted = saved?.options ?? {
    keep: options.branch ?? 'living',
    allowUnknown: options.allowUnknown,
    ...(dropped.length > 0 && { drop: dropped }),
    ...(options.truncateAfter !== undefined && { truncateAfter: options.truncateAfter }),
    ...(options.target !== undefined && { target: options.target }),
  }
  const asked = { name, saved, wanted, options, context }
  if (wanted.target === undefined || isAboutOne(options, context))
    return withLog(name, context, examination(wanted), (loaded) => repaired(loaded, asked))
  const perLog: PerLog = (opener, input) =>
    withOpened(opener, input, context, examination(wanted), (loaded) => repaired(loaded, asked))
  // What writes is not divided between threads: an interrupt finds one log at work.
  const { startWorkers: _, ...alone } = context
  return eachLog('repair', logs, alone, perLog)
}

const ONE_LOG =
  'several logs can be repaired at once with --target, and without -o, --plan, --apply, --drop and --truncate-after'

/** What is said of one log and no other. */
function isAboutOne(
  { plan, apply, drop = [], truncateAfter }: RepairChoices,
  { output }: CommandContext,
): boolean {
  return drop.length > 0 || [plan, apply, truncateAfter, output].some((chosen) => chosen !== undefined)
}

interface Asked {
  readonly name: string
  readonly saved: SavedPlan | undefined
  readonly wanted: ChosenOptions
  readonly options: RepairChoices
  readonly context: CommandContext
}

async function repaired(
  loaded: ExaminedLog,
  { name, saved, wanted, options, context }: Asked,
): Promise<Outcome<'repair'>> {
  const { input } = loaded
  const repairOptions: RepairOptions = { ...wanted, limits: context.limits, file: input.file }
  const planned = await planRepair(input.source, loaded, repairOptions)
  const data = dataOf(loaded, planned)
  const isPartial = options.partial && data.steps.length > 0
  if (data.refused !== undefined && !isPartial) {
    const isNoLog = loaded.judgement.exitCode === 3
    const commands = isNoLog ? [] : await helpfulCommands(loaded.name, input.source, planned, repairOptions)
    const report = logReport('repair', loaded, { ...data, ...(commands.length > 0 && { commands }) })
    return { answer: answerOf(report), exitCode: isNoLog ? 3 : 5 }
  }
  if (saved !== undefined || options.plan !== undefined) {
    const plan = await savedPlan(name, loaded, data, wanted)
    if (saved !== undefined) mustBeThePlan(saved, plan)
    if (options.plan !== undefined) await writePlan(options.plan, plan, context)
  }
  const written = await carryOut(loaded, { input, planned, options: repairOptions }, options, context)
  const commands = await upgradeCommands(loaded.name, input.source, planned, repairOptions)
  const isOpenEnd =
    data.remaining !== undefined ||
    data.refused !== undefined ||
    (written === undefined && data.steps.length > 0)
  return {
    answer: answerOf(
      logReport('repair', loaded, { ...data, ...(commands.length > 0 && { commands }), ...written }),
    ),
    exitCode: isOpenEnd ? 1 : 0,
  }
}

function mustBeOneTarget({ write, inPlace }: RepairChoices, { output }: CommandContext): void {
  const targets = [write, inPlace, output !== undefined].filter((isChosen) => isChosen)
  if (targets.length > 1) throw new ToolError('usage', 'choose one of -o, --write and --in-place')
}

/** A choice that would not be heeded is no choice. */
function mustNotChoose({ branch, allowUnknown, drop = [], truncateAfter, target }: RepairChoices): void {
  const isChosen = [branch, truncateAfter, target].some((choice) => choice !== undefined)
  if (!isChosen && !allowUnknown && drop.length === 0) return
  throw new ToolError(
    'usage',
    'the plan says what is kept and cut off, so --branch, --allow-unknown, --drop, --truncate-after and --target cannot be given with it',
    'Make another plan with --plan.',
  )
}

/** @returns what was written, when something was asked for. Nothing to repair is nothing to write. */
async function carryOut(
  log: ExaminedLog,
  target: RepairTarget,
  options: RepairChoices,
  context: CommandContext,
): Promise<(Partial<WrittenRepair> & { readonly backup?: string }) | undefined> {
  if (context.output !== undefined) await mustNotReplaceLog(context.output, context.opened)
  const isAsked = options.inPlace || options.write || context.output !== undefined
  if (isAsked && target.planned.steps.length === 0) return {}
  if (options.inPlace) return carryOutInPlace(log, target, context)
  const output = options.write ? besideName(log) : context.output
  if (output === undefined) return undefined
  const besideOf = (end: string): string => nameBeside(output, '', end)
  const destination = { output, besideOf, resumes: false }
  return writeCopy(output, context, () => {
    mustFit(output, target)
    return writeRepair(target, destination, context)
  })
}

/** Files next to the log bear the hash of the bytes that they come from, so another run may write them again. */
async function carryOutInPlace(
  log: ExaminedLog,
  target: RepairTarget,
  context: CommandContext,
): Promise<WrittenRepair & { readonly backup: string }> {
  mustBeReplaceable(log, context)
  const { file, taken } = log.input
  const replace = async (): Promise<WrittenRepair & { readonly backup: string }> => {
    await mustBeAtRest(file, context.now())
    return replaceLog(file, taken[0] as Fingerprint, ({ log: output, hash, alone, ready }) => {
      const besideOf = (end: string): string => nameBeside(output, '', `.${hash.slice(0, 16)}${end}`)
      return writeRepair(target, { output, besideOf, resumes: true, alone, ready }, context)
    })
  }
  return writing(file, replace, LOG_IS_SAFE)
}

/** What was unpacked, translated or read from a pipe has no place to be put back to. */
function mustBeReplaceable({ input, name }: ExaminedLog, { dialect }: CommandContext): void {
  if (input.path === input.file && dialect === undefined) return
  throw new ToolError('refused', `${name} cannot be replaced in place`, 'Write a copy with -o FILE instead.')
}

const LOG_ENDING = /(?:\.jsonl)?(?:\.zstd?)?$|\.(?:db|sqlite3?)$/i

/** `session.jsonl.zstd` → `session.repaired.jsonl.zstd`. What was packed by gzip is written unpacked. */
function besideName({ input, name }: ExaminedLog): string {
  if (input.path === undefined)
    throw new ToolError('usage', `${name} has no folder for a copy`, 'Name the copy with -o FILE.')
  const path = input.path.replace(/\.gz$/i, '')
  const [ending = ''] = LOG_ENDING.exec(basename(path)) ?? []
  return nameBeside(path.slice(0, path.length - ending.length), '', `.repaired${ending}`)
}

function dataOf(log: ExaminedLog, planned: PlannedRepair): ReportData<'repair'> {
  const { steps, closers, inserted, notes, refused, outcome, losses } = planned
  const lost = losses.filter(({ first, end, filled }) => end - first > filled)
  const before = log.results.digests
  const after = outcome.results.digests
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
    ...(lost.length > 0 && { losses: lost.map(lossOf) }),
    ...(refused.length > 0 && { refused }),
    ...(remaining.length > 0 && { remaining }),
  }
}

function lossOf({ first, end, filled, turn, step }: PlannedRepair['losses'][number]) {
  const place = { ...(turn !== undefined && { turn }), ...(step !== undefined && { step }) }
  return { first, last: end - 1, events: end - first - filled, ...place }
}
