/** A plan in a file: what would be done to which bytes. It is carried out only where both are still the same. */
import { readFile } from 'node:fs/promises'
import { isCount, isJsonObject, type JsonObject, sameJson } from '../core/json/json-value.ts'
import { KEEPS, type Keep } from '../core/repair/arrange-runs.ts'
import type { JudgedLog } from '../load/inputs/judged-log.ts'
import { LOG_IS_SAFE, writing } from '../load/outputs/writing.ts'
import type { RepairOptions } from '../load/repair/repair-options.ts'
import type { ReportData } from '../report/report.ts'
import { isRegularFile, mustBeVacant } from '../storage/output-guard.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { logHash } from '../storage/rewrite/file-hash.ts'
import { ToolError } from '../storage/tool-error.ts'
import { writeFileWhole } from '../storage/write-file.ts'
import type { CommandContext } from './definition/command.ts'

const SCHEMA = 'resurface/repair-plan@1'

export type ChosenOptions = Omit<RepairOptions, 'limits' | 'file'>

export interface SavedPlan {
  readonly schema: typeof SCHEMA
  /** The log as it was named. */
  readonly log: string
  /** Hash of the bytes that the plan was made for. */
  readonly sha256: string
  readonly options: ChosenOptions
  readonly steps: ReportData<'repair'>['steps']
  readonly digests: ReportData<'repair'>['digests']
}

export async function savedPlan(
  log: string,
  { input }: JudgedLog<unknown>,
  { steps, digests }: ReportData<'repair'>,
  options: ChosenOptions,
): Promise<SavedPlan> {
  return { schema: SCHEMA, log, sha256: await logHash(input.file), options, steps, digests }
}

/** Takes the place of an earlier plan at most: a damaged log does not look like one, and must not be lost. */
export async function writePlan(path: string, plan: SavedPlan, { opened }: CommandContext): Promise<void> {
  if (!(await holdsPlan(path))) await mustBeVacant(path, opened)
  const text = `${JSON.stringify(plan, null, 2)}\n`
  await writing(path, () => writeFileWhole(path, (file) => file.writeFile(text)), LOG_IS_SAFE)
}

async function holdsPlan(path: string): Promise<boolean> {
  if (!(await isRegularFile(path))) return false
  return readPlan(path).then(
    () => true,
    () => false,
  )
}

export async function readPlan(path: string): Promise<SavedPlan> {
  let plan: unknown
  try {
    plan = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new ToolError('input', `cannot read the plan ${path}: ${reasonOf(error)}`)
  }
  if (isPlan(plan)) return plan
  throw new ToolError('input', `${path} is not a plan that "repair --plan" wrote`)
}

function isPlan(value: unknown): value is SavedPlan {
  return (
    isJsonObject(value) &&
    value.schema === SCHEMA &&
    typeof value.log === 'string' &&
    typeof value.sha256 === 'string' &&
    isJsonObject(value.options) &&
    areOptions(value.options)
  )
}

function areOptions({ keep, allowUnknown, truncateAfter }: JsonObject): boolean {
  const isBoundary =
    truncateAfter === undefined ||
    (isJsonObject(truncateAfter) &&
      (truncateAfter.unit === 'turn' || truncateAfter.unit === 'seq') &&
      isCount(truncateAfter.number))
  return KEEPS.includes(keep as Keep) && typeof allowUnknown === 'boolean' && isBoundary
}

/** @param now - the plan that would be made today. */
export function mustBeThePlan(saved: SavedPlan, now: SavedPlan): void {
  if (saved.sha256 !== now.sha256) {
    throw new ToolError(
      'refused',
      `${now.log} is not the log that the plan was made for, or it has changed since`,
      'Make a new plan with --plan.',
    )
  }
  if (sameJson(saved.steps, now.steps) && sameJson(saved.digests, now.digests)) return
  throw new ToolError(
    'refused',
    'the plan is not what this version of resurface would do',
    'Make a new plan with --plan.',
  )
}
