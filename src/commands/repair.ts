/**
 * `repair`: the plan of what would change, and on demand the repaired log: a copy, or in the place of the original with
 * a backup. What a plan file holds is what is done with it, on the log it was made for and no other.
 */
import { basename, dirname, join } from 'node:path'
import type { Keep } from '../core/repair/arrange-runs.ts'
import { examination } from '../load/repair/examine.ts'
import { type PlannedRepair, planRepair, type RepairOptions } from '../load/repair/plan-repair.ts'
import type { Boundary } from '../load/repair/truncated-rows.ts'
import type { Digests, RepairData } from '../report/views/repair-view.ts'
import { type Fingerprint, fingerprintFile } from '../storage/fingerprint.ts'
import { mustBeAtRest } from '../storage/rewrite/live-writer.ts'
import { logHash, replaceLog } from '../storage/rewrite/replace-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import {
  type Command,
  type CommandContext,
  LOG_ARGUMENT,
  type OptionValues,
  type Outcome,
} from './command.ts'
import { type JudgedLog, logReport, type ResultsOf, withLog } from './log-report.ts'
import { parseBoundary } from './option-values.ts'
import { mustBeThePlan, readPlan, savedPlan, writePlan } from './repair-plan-file.ts'
import { writeCopy, writing } from './write-copy.ts'
import { type WrittenRepair, writeRepair } from './write-repair.ts'

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
      choices: ['living', 'first', 'last', 'longest'],
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

type Examination = ReturnType<typeof examination>
type ExaminedLog = JudgedLog<ResultsOf<Examination>>

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
  const wanted = saved?.options ?? {
    keep: (options.keep as Keep | undefined) ?? 'living',
    allowUnknown: options.allowUnknown === true,
    ...(options.truncateAfter !== undefined && { truncateAfter: options.truncateAfter as Boundary }),
  }
  return withLog(name, context, examination(wanted.allowUnknown), async (loaded) => {
    const repairOptions: RepairOptions = { ...wanted, limits: context.limits, file: loaded.input.file }
    const before = await fingerprintFile(loaded.input.file)
    const planned = await planRepair(loaded.input.source, loaded, repairOptions)
    const data = dataOf(loaded, planned)
    if (data.refused !== undefined) {
      const isNoLog = loaded.judgement.exitCode === 3
      return { answer: logReport('repair', loaded, data), exitCode: isNoLog ? 3 : 5 }
    }
    const plan = await savedPlan(name, loaded, data, wanted)
    if (saved !== undefined) mustBeThePlan(saved, plan)
    if (options.plan !== undefined) await writePlan(options.plan as string, plan, context)
    const written = await carryOut({ loaded, planned, repairOptions, before }, options, context)
    const isOpenEnd = data.remaining !== undefined || (written === undefined && data.steps.length > 0)
    return { answer: logReport('repair', loaded, { ...data, ...written }), exitCode: isOpenEnd ? 1 : 0 }
  })
}

function mustBeOneTarget({ write, inPlace }: OptionValues, { output }: CommandContext): void {
  const targets = [write, inPlace, output].filter((target) => target !== undefined)
  if (targets.length > 1) throw new ToolError('usage', 'choose one of -o, --write and --in-place')
}

interface Job {
  readonly loaded: ExaminedLog
  readonly planned: PlannedRepair
  readonly repairOptions: RepairOptions
  readonly before: Fingerprint
}

/** @returns what was written, when something was asked for. Nothing to repair is nothing to write in place. */
async function carryOut(
  { loaded, planned, repairOptions, before }: Job,
  options: OptionValues,
  context: CommandContext,
): Promise<(Partial<WrittenRepair> & { readonly backup?: string }) | undefined> {
  const { input } = loaded
  const target = { input, planned, options: repairOptions }
  if (options.inPlace === true) {
    if (planned.steps.length === 0) return {}
    mustBeReplaceable(loaded)
    await mustBeAtRest(input.file, context.now())
    const beside = `${input.file}.${(await logHash(input.file)).slice(0, 16)}`
    let written: WrittenRepair | undefined
    const { backup } = await writing(input.file, () =>
      replaceLog(input.file, before, async (temporary) => {
        written = await writeRepair(target, temporary, beside, context)
      }),
    )
    return { ...written, output: input.file, backup }
  }
  const output = options.write === true ? besideName(input.file) : context.output
  if (output === undefined) return undefined
  return writeCopy(output, context, () => writeRepair(target, output, output, context))
}

/** A log that was read from a private file or a pipe has no place to be put back to. */
function mustBeReplaceable({ input, name }: ExaminedLog): void {
  if (input.container === 'gzip' || name === '-')
    throw new ToolError(
      'refused',
      `${name} cannot be replaced in place`,
      'Write a copy with -o FILE instead.',
    )
}

/** `session.jsonl.zstd` → `session.repaired.jsonl.zstd`. */
function besideName(file: string): string {
  const [, start, end] = /^([^.]*)(.*)$/s.exec(basename(file)) ?? []
  return join(dirname(file), `${start}.repaired${end}`)
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
      surface: pair(before.surface, after.surface),
      transcript: pair(before.transcript, after.transcript),
    },
    ...(refused.length > 0 && { refused }),
    ...(remaining.length > 0 && { remaining }),
  }
}

function pair(before: string, after: string): Digests {
  return { before, after }
}
