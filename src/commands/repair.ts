/**
 * `repair`: the plan of what would change, and on demand the repaired log: a copy, or in the place of the original with
 * a backup. What a plan file holds is what is done with it, on the log it was made for and no other.
 */
import { basename } from 'node:path'
import { KEEPS, type Keep } from '../core/repair/arrange-runs.ts'
import { type Examined, examination } from '../load/repair/examine.ts'
import { type PlannedRepair, planRepair } from '../load/repair/plan-repair.ts'
import type { RepairOptions } from '../load/repair/repair-options.ts'
import type { Boundary } from '../load/repair/truncated-rows.ts'
import type { RepairData } from '../report/views/repair-view.ts'
import type { Fingerprint } from '../storage/fingerprint.ts'
import { nameBeside } from '../storage/name-beside.ts'
import { mustBeAtRest } from '../storage/rewrite/live-writer.ts'
import { replaceLog } from '../storage/rewrite/replace-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import {
  type Command,
  type CommandContext,
  LOG_ARGUMENT,
  type OptionValues,
  type Outcome,
} from './definition/command.ts'
import { parseBoundary } from './definition/option-values.ts'
import { type JudgedLog, logReport, withLog } from './log-report.ts'
import { mustBeThePlan, readPlan, savedPlan, writePlan } from './repair-plan-file.ts'
import { type RepairTarget, type WrittenRepair, writeRepair } from './write-repair.ts'
import { LOG_IS_SAFE, writeCopy, writing } from './writing.ts'

export const command: Command = {
  arguments: [['[log]', LOG_ARGUMENT]],
  options: [
    { flags: '--write', description: 'write the repaired log beside the original, as NAME.repaired.jsonl' },
    { flags: '--in-place', description: 'replace the log, and keep what it was as a backup for "undo"' },
    { flags: '--plan <file>', description: 'save the plan' },
    {
      flags: '--apply <file>',
      description: 'do what a saved plan says, if the log is still the one it is for',
    },
    {
      flags: '--keep <branch>',
      description: 'which branch stays where two writers clashed (default: living)',
      choices: KEEPS,
    },
    { flags: '--allow-unknown', description: 'mark events of unknown types ignorable' },
    {
      flags: '--truncate-after <place>',
      description: 'cut off what follows turn:N or seq:N',
      parse: parseBoundary,
    },
  ],
  examples: [
    'resurface repair session.jsonl',
    'resurface repair session.jsonl -o repaired.jsonl',
    'resurface repair session.jsonl --in-place',
    'resurface repair session.jsonl --plan plan.json && resurface repair --apply plan.json --write',
  ],
  writesOutput: true,
  run: ([log], options, context) => repair(log as string | undefined, options, context),
}

type ExaminedLog = JudgedLog<Examined['results']>

async function repair(
  log: string | undefined,
  options: OptionValues,
  context: CommandContext,
): Promise<Outcome> {
  const planFile = options.apply as string | undefined
  const saved = planFile === undefined ? undefined : await readPlan(planFile)
  const name = log ?? saved?.log
  if (name === undefined) throw new ToolError('usage', 'name a log, or a plan with --apply')
  mustBeOneTarget(options, context)
  if (saved !== undefined) mustNotChoose(options)
  const wanted = saved?.options ?? {
    keep: (options.keep as Keep | undefined) ?? 'living',
    allowUnknown: options.allowUnknown === true,
    ...(options.truncateAfter !== undefined && { truncateAfter: options.truncateAfter as Boundary }),
  }
  return withLog(name, context, examination(wanted.allowUnknown), async (loaded) => {
    const { input } = loaded
    const repairOptions: RepairOptions = { ...wanted, limits: context.limits, file: input.file }
    const planned = await planRepair(input.source, loaded, repairOptions)
    const data = dataOf(loaded, planned)
    if (data.refused !== undefined) {
      const isNoLog = loaded.judgement.exitCode === 3
      return { answer: logReport('repair', loaded, data), exitCode: isNoLog ? 3 : 5 }
    }
    if (saved !== undefined || options.plan !== undefined) {
      const plan = await savedPlan(name, loaded, data, wanted)
      if (saved !== undefined) mustBeThePlan(saved, plan)
      if (options.plan !== undefined) await writePlan(options.plan as string, plan, context)
    }
    const written = await carryOut(loaded, { input, planned, options: repairOptions }, options, context)
    const isOpenEnd = data.remaining !== undefined || (written === undefined && data.steps.length > 0)
    return { answer: logReport('repair', loaded, { ...data, ...written }), exitCode: isOpenEnd ? 1 : 0 }
  })
}

function mustBeOneTarget({ write, inPlace }: OptionValues, { output }: CommandContext): void {
  const targets = [write, inPlace, output].filter((target) => target !== undefined)
  if (targets.length > 1) throw new ToolError('usage', 'choose one of -o, --write and --in-place')
}

/** A choice that would not be heeded is no choice. */
function mustNotChoose({ keep, allowUnknown, truncateAfter }: OptionValues): void {
  if ([keep, allowUnknown, truncateAfter].every((choice) => choice === undefined)) return
  throw new ToolError(
    'usage',
    'the plan says what is kept and cut off, so --keep, --allow-unknown and --truncate-after cannot be given with it',
    'Make another plan with --plan.',
  )
}

/** @returns what was written, when something was asked for. Nothing to repair is nothing to write in place. */
async function carryOut(
  log: ExaminedLog,
  target: RepairTarget,
  options: OptionValues,
  context: CommandContext,
): Promise<(Partial<WrittenRepair> & { readonly backup?: string }) | undefined> {
  if (options.inPlace === true)
    return target.planned.steps.length === 0 ? {} : carryOutInPlace(log, target, context)
  const output = options.write === true ? besideName(log) : context.output
  if (output === undefined) return undefined
  const besideOf = (end: string): string => nameBeside(output, '', end)
  const destination = { output, besideOf, resumes: false }
  return writeCopy(output, context, () => writeRepair(target, destination, context))
}

/** What stands beside the log bears the hash of the bytes that it was taken from, so another run may write it anew. */
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
    throw new ToolError('usage', `there is no place beside ${name}`, 'Name the copy with -o FILE.')
  const path = input.path.replace(/\.gz$/i, '')
  const [ending = ''] = LOG_ENDING.exec(basename(path)) ?? []
  return nameBeside(path.slice(0, path.length - ending.length), '', `.repaired${ending}`)
}

function dataOf(log: ExaminedLog, planned: PlannedRepair): RepairData {
  const { steps, closers, inserted, notes, refused, outcome } = planned
  const before = log.results.digests
  const after = outcome.results.digests
  const remaining = outcome.findings
    .counts()
    .filter(({ severity }) => severity === 'error')
    .map(({ code, count }) => ({ code, count }))
  return {
    steps,
    closers,
    ...(inserted.length > 0 && { inserted }),
    ...(notes.length > 0 && { notes }),
    digests: {
      surface: { before: before.surface, after: after.surface },
      transcript: { before: before.transcript, after: after.transcript },
    },
    ...(refused.length > 0 && { refused }),
    ...(remaining.length > 0 && { remaining }),
  }
}
