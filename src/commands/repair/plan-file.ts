/** A plan in a file: what would be done to which bytes. It is carried out only where both are still the same. */
import { RELEASE_LINES } from '../../core/compatibility/release-lines.ts'
import {
  constant,
  count,
  flag,
  listOf,
  oneOf,
  path,
  record,
  type Static,
  text,
} from '../../core/json/json-schema.ts'
import { sameJson } from '../../core/json/json-value.ts'
import { KEEPS } from '../../core/repair/arrange-runs.ts'
import type { JudgedLog } from '../../load/inputs/judged-log.ts'
import { writeSaved } from '../../load/outputs/write-saved.ts'
import type { RepairOptions } from '../../load/repair/repair-options.ts'
import type { ReportData } from '../../report/report.ts'
import { REPAIR_PLAN } from '../../report/schemas/report-data.ts'
import { SHARED_DEFINITIONS } from '../../report/schemas/shared-definitions.ts'
import { readSaved, type SavedKind } from '../../storage/read-saved.ts'
import { logHash } from '../../storage/rewrite/file-hash.ts'
import { ToolError } from '../../storage/tool-error.ts'
import type { CommandContext } from '../definition/command.ts'

const SCHEMA = 'resurface/repair-plan@1'

/** The other session is kept by its name. */
export type ChosenOptions = Omit<RepairOptions, 'limits' | 'file' | 'like' | 'dropsAsDsh'> & {
  readonly like?: string
}

const PLAN = record({
  schema: constant(SCHEMA),
  log: { ...path, description: 'the log as it was named' },
  sha256: { ...text, description: 'hash of the bytes that the plan was made for' },
  options: record(
    { keep: oneOf(...KEEPS), allowUnknown: flag },
    {
      drop: listOf(count),
      dropWaiting: constant(true),
      like: { ...path, description: 'another session of the same store' },
      model: record({ provider: text, model: text }),
      truncateAfter: record({ unit: oneOf('turn', 'seq'), number: count }),
      target: oneOf(...RELEASE_LINES.map(({ name }) => name)),
    },
  ),
  ...REPAIR_PLAN,
})

export type SavedPlan = Static<typeof PLAN>

export async function savedPlan(
  log: string,
  { input }: JudgedLog<unknown>,
  { steps, digests }: ReportData<'repair'>,
  options: ChosenOptions,
): Promise<SavedPlan> {
  return { schema: SCHEMA, log, sha256: await logHash(input.file), options, steps, digests }
}

const KIND: SavedKind<SavedPlan> = {
  name: 'repair plan',
  schema: { ...PLAN, $defs: SHARED_DEFINITIONS },
  error: 'input',
  hint: 'Make a new plan with --plan.',
}

export function writePlan(file: string, plan: SavedPlan, { opened }: CommandContext): Promise<void> {
  return writeSaved(file, plan, KIND, opened)
}

export function readPlan(file: string): Promise<SavedPlan> {
  return readSaved(file, KIND)
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
