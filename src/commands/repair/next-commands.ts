/** Commands to run after a repair that could do nothing. Those that make a choice have been tried. */
import { releaseVerdicts } from '../../core/compatibility/compatibility.ts'
import { migrationFacts } from '../../core/compatibility/migration-facts.ts'
import { examine } from '../../load/repair/examine.ts'
import { type PlannedRepair, planRepair } from '../../load/repair/plan-repair.ts'
import type { RepairOptions } from '../../load/repair/repair-options.ts'
import { loadLog } from '../../load/sessions/load-log.ts'
import { shellWord } from '../../report/shell-word.ts'
import type { RecordSource } from '../../storage/record-source.ts'

/** More events than this are not taken out one by one. */
const MOST_DROPPED = 20

export async function helpfulCommands(
  name: string,
  source: RecordSource,
  { blocking, lastSafe, steps }: PlannedRepair,
  options: RepairOptions,
): Promise<readonly string[]> {
  const { target: _, ...asked } = options
  const drop = [...(options.drop ?? []), ...blocking]
  const choices: (readonly [words: string, options: RepairOptions])[] = []
  if (!options.allowUnknown) choices.push(['--allow-unknown', { ...asked, allowUnknown: true }])
  if (blocking.length > 0 && blocking.length <= MOST_DROPPED)
    choices.push([blocking.map((seq) => `--drop ${seq}`).join(' '), { ...asked, drop }])
  if (lastSafe !== undefined && options.truncateAfter === undefined) {
    const truncateAfter = { unit: 'seq', number: lastSafe } as const
    choices.push([`--truncate-after seq:${lastSafe}`, { ...asked, truncateAfter }])
  }
  const commands: string[] = []
  for (const [words, chosen] of choices)
    if (await repairs(source, chosen)) commands.push(commandFor(name, options, words))
  if (steps.length > 0) commands.push(commandFor(name, options, '--partial'))
  return commands
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

async function repairs(source: RecordSource, options: RepairOptions): Promise<boolean> {
  const original = await examine(source, options.limits, options)
  const { refused, steps } = await planRepair(source, original, options)
  return refused.length === 0 && steps.length > 0
}

function commandFor(name: string, { allowUnknown, drop = [] }: RepairOptions, words: string): string {
  const before = [...(allowUnknown ? ['--allow-unknown'] : []), ...drop.map((seq) => `--drop ${seq}`)]
  const target = name === '-' ? '-o repaired.jsonl' : '--write'
  return ['resurface repair', shellWord(name), ...before, words, target].join(' ')
}
