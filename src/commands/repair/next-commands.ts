/** Commands to run where a repair could not do all. Those that make a choice have been tried. */
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { releaseVerdicts } from '../../core/compatibility/compatibility.ts'
import { migrationFacts } from '../../core/compatibility/migration-facts.ts'
import type { Finding } from '../../core/findings/finding.ts'
import { generationName, generationOf, isLogName, storeRootOf } from '../../load/inputs/store-layout.ts'
import { dropBlocking } from '../../load/repair/drop-blocking.ts'
import { examine } from '../../load/repair/examine.ts'
import { type PlannedRepair, planRepair } from '../../load/repair/plan-repair.ts'
import type { RepairOptions } from '../../load/repair/repair-options.ts'
import { loadLog } from '../../load/sessions/load-log.ts'
import type { Log } from '../../log/log.ts'
import { withLog } from '../../log/open-log.ts'
import { shellWord } from '../../report/shell-word.ts'
import type { RecordSource } from '../../storage/record-source.ts'

/** Each try is a whole plan. */
const MOST_TRIES = 6

export async function helpfulCommands(
  name: string,
  source: RecordSource,
  planned: PlannedRepair,
  options: RepairOptions,
): Promise<readonly string[]> {
  const { target: _, ...asked } = options
  const plan: Planner = async (choice) => {
    const chosen = { ...asked, ...choice }
    return planRepair(source, await examine(source, chosen.limits, chosen), chosen)
  }
  const words: string[] = []
  const isUnknown = planned.outcome.findings.counts().some(({ code }) => code === 'vocabulary/unknown-type')
  if (isUnknown && !options.allowUnknown && isMended(await plan({ allowUnknown: true })))
    words.push('--allow-unknown')
  const before = options.drop ?? []
  const dropped = await dropBlocking(planned, (drop) => plan({ drop: [...before, ...drop] }), isMended)
  if (dropped !== undefined) words.push(dropped.seqs.map((seq) => `--drop ${seq}`).join(' '))
  const place = options.truncateAfter === undefined ? await placeToCut(planned, plan) : undefined
  if (place !== undefined) words.push(`--truncate-after seq:${place}`)
  if (planned.refused.length > 0 && planned.steps.length > 0) words.push('--partial')
  return words.map((chosen) => commandFor(name, options, chosen))
}

type Planner = (choice: Partial<RepairOptions>) => Promise<PlannedRepair>

/** The latest place that leaves a log without a fault. */
async function placeToCut(planned: PlannedRepair, plan: Planner): Promise<number | undefined> {
  let place = planned.lastSafe
  for (let round = 0; place !== undefined && round < MOST_TRIES; round++) {
    const next = await plan({ truncateAfter: { unit: 'seq', number: place } })
    if (isMended(next)) return place
    place = next.lastSafe !== undefined && next.lastSafe < place ? next.lastSafe : undefined
  }
  return undefined
}

function isMended({ refused, steps, outcome }: PlannedRepair): boolean {
  const hasErrors = outcome.findings.counts().some(({ severity }) => severity === 'error')
  return refused.length === 0 && steps.length > 0 && !hasErrors
}

/** For a log with nothing to repair that the newest release refuses all the same. */
export async function upgradeCommands(
  name: string,
  source: RecordSource,
  { steps, refused, outcome }: PlannedRepair,
  { target, limits }: RepairOptions,
): Promise<readonly string[]> {
  const isWhole = steps.length === 0 && refused.length === 0
  if (!isWhole || target !== undefined) return []
  const { results } = await loadLog(source, { facts: migrationFacts() }, { limits })
  const verdicts = releaseVerdicts(outcome.header?.version, outcome.findings.counts(), results.facts)
  const newest = verdicts.at(-1)
  if (newest === undefined || newest.opens) return []
  return [`resurface repair ${shellWord(name)} --target ${newest.release}`]
}

/** Another session whose header has what a lost one lacks: one in the same folder, or of the same project. */
export async function likeCommands(
  { name, input, context }: Log,
  options: RepairOptions,
): Promise<readonly string[]> {
  if (options.like !== undefined || input.path === undefined) return []
  for (const other of (await neighboursOf(input.path)).slice(0, MOST_TRIES)) {
    const header = await withLog(other, context, (log) => log.read({})).then(
      (read) => read.header,
      () => undefined,
    )
    if (header === undefined) continue
    const chosen = { ...options, like: { name: other, header } }
    const original = await examine(input.source, chosen.limits, chosen)
    const { refused, steps } = await planRepair(input.source, original, chosen)
    if (refused.length === 0 && steps.length > 0) return [commandFor(name, chosen, '')]
  }
  return []
}

async function neighboursOf(path: string): Promise<readonly string[]> {
  const folder = dirname(path)
  const logsIn = async (folder: string): Promise<readonly string[]> => {
    const names = await readdir(folder).catch(() => [])
    return names.filter(isLogName).map((name) => join(folder, name))
  }
  const isOfStore = generationOf(basename(path)) !== undefined
  const sessions = isOfStore ? await readdir(dirname(folder)).catch(() => []) : []
  const others = await Promise.all(sessions.map((session) => logsIn(join(dirname(folder), session))))
  return [...(isOfStore ? [] : await logsIn(folder)), ...others.flat()].filter(
    (other) => resolve(other) !== resolve(path),
  )
}

/** What brings a log to where DSH looks for it. */
export function placeCommands(path: string | undefined, findings: readonly Finding[]): readonly string[] {
  const root = path === undefined ? undefined : storeRootOf(path)
  if (path === undefined || root === undefined) return []
  return findings.flatMap((finding): readonly string[] => {
    const { code, args } = finding
    if (code === 'store/misplaced') {
      const [from, to] = [join(root, args.found), join(root, args.expected)]
      return [`mkdir -p ${shellWord(dirname(to))} && mv -n ${shellWord(from)} ${shellWord(to)}`]
    }
    if (code !== 'store/generation-mismatch') return []
    const name = generationName({ version: args.version, compressed: path.endsWith('.zstd') })
    return [`mv -n ${shellWord(path)} ${shellWord(join(dirname(path), name))}`]
  })
}

/** What puts the same repair in the place of the log; absent where that is no file of the user's. */
export function installCommand(
  { name, input }: Log,
  options: RepairOptions,
  isPartial: boolean,
): string | undefined {
  if (input.replaceable === undefined) return undefined
  const { truncateAfter, target } = options
  const words = [
    ...(truncateAfter === undefined
      ? []
      : [`--truncate-after ${truncateAfter.unit}:${truncateAfter.number}`]),
    ...(target === undefined ? [] : [`--target ${target}`]),
    ...(isPartial ? ['--partial'] : []),
  ]
  return commandFor(name, options, words.join(' '), '--in-place')
}

function commandFor(
  name: string,
  options: RepairOptions,
  words: string,
  target = name === '-' ? '-o repaired.jsonl' : '--write',
): string {
  const { allowUnknown, drop = [], dropWaiting = false, keep, like, model } = options
  const before = [
    ...(keep === 'living' ? [] : [`--branch ${keep}`]),
    ...(like === undefined ? [] : [`--like ${shellWord(like.name)}`]),
    ...(model === undefined ? [] : [`--model ${shellWord(`${model.provider}/${model.model}`)}`]),
    ...(allowUnknown ? ['--allow-unknown'] : []),
    ...drop.map((seq) => `--drop ${seq}`),
    ...(dropWaiting ? ['--drop-waiting'] : []),
  ]
  return ['resurface repair', shellWord(name), ...before, words, target]
    .filter((word) => word !== '')
    .join(' ')
}
