/**
 * Carries a planned repair out: into a new file, or in the place of the log with a backup. What is written is read back
 * and checked before it takes its name, and what had to go is kept in a quarantine file.
 */
import { basename } from 'node:path'
import type { OpenedInput } from '../load/inputs/open-input.ts'
import { LOG_IS_SAFE, writeCopy, writing } from '../load/outputs/writing.ts'
import {
  mustFit,
  needsNewDatabase,
  type WrittenRepair,
  writeRepair as writeMended,
} from '../load/repair/write-repair.ts'
import { mustNotReplaceLog } from '../storage/output-guard.ts'
import { mustBeAtRest } from '../storage/rewrite/live-writer.ts'
import { replaceLog } from '../storage/rewrite/replace-log.ts'
import { siblingName } from '../storage/sibling-name.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { Log } from './log.ts'
import type { RepairPlan } from './plan-repair.ts'

/**
 * Where a repaired log goes: a new file by its path, `next-to-log` as NAME.repaired.jsonl, or `in-place` with a backup that
 * `resurface undo` takes back.
 */
export type RepairTarget = { readonly file: string } | 'next-to-log' | 'in-place'

/** Paths of what was written; empty when the plan had no steps. */
export type WrittenFiles = Partial<WrittenRepair> & { readonly backup?: string }

/**
 * Writes what was planned, while the log is open.
 *
 * Throws a `ToolError`, with the log as it was: `refused` when DSH would not open the result and `partial` is not set,
 * when the log has changed or another process writes it, or when the copy does not pass its check; `usage` when the
 * file exists already or its name says another container; `input` when it cannot be written.
 *
 * @param options.partial - write what can be mended, although DSH still refuses the result.
 */
export async function writeRepair(
  plan: RepairPlan,
  target: RepairTarget,
  { partial = false }: { readonly partial?: boolean } = {},
): Promise<WrittenFiles> {
  return writeSessions([plan], target, partial)
}

export type Plans = readonly [RepairPlan, ...RepairPlan[]]

/** The same for sessions of one database, which are written together. */
export async function writeSessions(
  plans: Plans,
  target: RepairTarget,
  partial: boolean,
): Promise<WrittenFiles> {
  const [{ log }] = plans
  const output = typeof target === 'object' ? target.file : undefined
  if (output !== undefined) await mustNotReplaceLog(output, log.context.opened)
  const refused = plans.flatMap(({ refused = [] }) => refused)
  if (refused.length > 0 && !partial)
    throw new ToolError('refused', `DSH would still refuse the result: ${refused.join('; ')}`, LOG_IS_SAFE)
  if (plans.every(({ steps }) => steps.length === 0)) return {}
  return target === 'in-place' ? inPlace(plans) : copy(plans, output ?? nameNextTo(log))
}

function copy(plans: Plans, output: string): Promise<WrittenFiles> {
  const [{ log }] = plans
  const nameFor = (end: string): string => siblingName(output, '', end)
  return writeCopy(output, log.context, () => {
    for (const plan of plans) mustFit(output, mendedBy(plan))
    return writeMended(eachMended(plans), { output, nameFor, resumes: false }, log.context)
  })
}

/** Files next to the log bear the hash of the bytes that they come from, so another run may write them again. */
async function inPlace(plans: Plans): Promise<WrittenFiles> {
  const [{ log }] = plans
  const { path, taken } = replaceableIn(log)
  mustKeepOthers(plans)
  const replace = async (): Promise<WrittenFiles> => {
    await mustBeAtRest(path, log.context.now())
    return replaceLog(path, taken, ({ log: output, hash, alone, ready }) => {
      const nameFor = (end: string): string => siblingName(output, '', `.${hash.slice(0, 16)}${end}`)
      const destination = { output, nameFor, resumes: true, alone, ready }
      return writeMended(eachMended(plans), destination, log.context)
    })
  }
  return writing(path, replace, LOG_IS_SAFE)
}

/** A new database in the place of the old one holds what is written into it, and nothing else. */
function mustKeepOthers(plans: Plans): void {
  const [{ log }] = plans
  if (!plans.some(needsNewDatabase)) return
  const left = (log.input.others?.() ?? 0) + 1 - plans.length
  if (left <= 0) return
  throw new ToolError(
    'refused',
    `the database has to be written anew, and would lose ${left === 1 ? 'another session' : `${left} other sessions`}`,
    `Name the whole database, ${log.input.path}, or write a copy with -o FILE.`,
  )
}

function eachMended([first, ...rest]: Plans) {
  return [mendedBy(first), ...rest.map(mendedBy)] as const
}

function mendedBy({ log, planned, options }: RepairPlan) {
  return { input: log.input, planned, options }
}

/** What was unpacked, translated or read from a pipe has no place to be put back to. */
function replaceableIn({ input, name }: Log): NonNullable<OpenedInput['replaceable']> {
  if (input.replaceable !== undefined) return input.replaceable
  throw new ToolError('refused', `${name} cannot be replaced in place`, 'Write a copy with -o FILE instead.')
}

const LOG_ENDING = /(?:\.jsonl)?(?:\.zstd?)?$|\.(?:db|sqlite3?)$/i

/** `session.jsonl.zstd` → `session.repaired.jsonl.zstd`. What was packed by gzip is written unpacked. */
function nameNextTo({ input, name }: Log): string {
  if (input.path === undefined)
    throw new ToolError('usage', `${name} has no folder for a copy`, 'Name the copy with -o FILE.')
  const path = input.path.replace(/\.gz$/i, '')
  const [ending = ''] = LOG_ENDING.exec(basename(path)) ?? []
  return siblingName(path.slice(0, path.length - ending.length), '', `.repaired${ending}`)
}
