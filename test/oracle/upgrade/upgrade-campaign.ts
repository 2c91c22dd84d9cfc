/**
 * Every mutant of the rich logs, upgraded: what the published readers open is left alone, and what an upgrade says it has
 * mended they open.
 */
import { storedLines } from '../../../src/load/reading/stored-lines.ts'
import { examine } from '../../../src/load/repair/examine.ts'
import { planRepair } from '../../../src/load/repair/plan-repair.ts'
import { DEFAULT_LIMITS } from '../../../src/storage/record-source.ts'
import { memorySource } from '../../support/memory-source.ts'
import type { Version } from '../campaign/log-draft.ts'
import { type Mutant, mutants } from '../campaign/mutants.ts'
import { richLogs } from '../campaign/rich-logs.ts'
import { Random } from '../random.ts'
import { type ReaderAnswers, ReadersProcess } from '../readers-process.ts'

export type Upgrade =
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  | { readonly kind: 'planned'; readonly text: string; readonly families: readonly string[] }

const TARGET = 'format-3'

/** The plan of a repair with a target, and the log that it would make. */
export async function upgradeOf(log: string, target = TARGET): Promise<Upgrade> {
  const source = memorySource(Buffer.from(log))
  const options = {
    limits: DEFAULT_LIMITS,
    file: 'log.jsonl',
    target,
    keep: 'living',
    allowUnknown: false,
  } as const
  const planned = await planRepair(source, await examine(source, DEFAULT_LIMITS, options), options)
  if (planned.refused.length > 0) return { kind: 'refused', reasons: planned.refused }
  const lines: string[] = []
  for await (const { bytes } of storedLines(planned.planned)) lines.push(`${bytes}\n`)
  const families = planned.steps.flatMap((step) => (step.kind === 'upgrade' ? [step.args.family] : []))
  return { kind: 'planned', text: lines.join(''), families }
}

export interface UpgradeFault {
  readonly log: string
  readonly mutant: Mutant
  readonly problem: string
}

export interface UpgradeOutcome {
  readonly asked: number
  readonly mended: number
  readonly refused: readonly UpgradeFault[]
  readonly faults: readonly UpgradeFault[]
}

export async function upgradeCampaign(
  versions: readonly Version[],
  share: number,
  seed: string,
  only?: string,
): Promise<UpgradeOutcome> {
  const readers = new ReadersProcess()
  const random = new Random(`${seed} upgrade campaign`)
  const faults: UpgradeFault[] = []
  const refused: UpgradeFault[] = []
  let asked = 0
  let mended = 0
  try {
    for (const log of richLogs(versions)) {
      for (const mutant of mutants(log.rows)) {
        if (share < 1 && !random.chance(share)) continue
        if (only !== undefined && !`${log.name} ${mutant.type} ${mutant.path}`.includes(only)) continue
        asked++
        const text = mutant.text()
        const note = (list: UpgradeFault[], problem: string): void => {
          list.push({ log: `${log.name} (${log.version})`, mutant, problem })
        }
        try {
          const [before, upgrade] = await Promise.all([readers.ask(text), upgradeOf(text)])
          if (upgrade.kind === 'refused') {
            if (isOpen(before)) note(faults, `opens, and is refused: ${upgrade.reasons.join('; ')}`)
            else note(refused, upgrade.reasons.join('; '))
            continue
          }
          if (isOpen(before) && upgrade.families.length > 0)
            note(faults, `opens, and is changed: ${upgrade.families.join(', ')}`)
          const after = await readers.ask(upgrade.text)
          if (isOpen(after)) mended += isOpen(before) ? 0 : 1
          else note(faults, `upgraded, and refused: ${JSON.stringify(after)}`)
        } catch (error) {
          note(faults, `threw: ${(error as Error).stack}`)
        }
      }
    }
  } finally {
    await readers.stop()
  }
  return { asked, mended, refused, faults }
}

function isOpen(answers: ReaderAnswers): boolean {
  const all = Object.values(answers)
  return all.length > 0 && all.every(({ opens }) => opens)
}
