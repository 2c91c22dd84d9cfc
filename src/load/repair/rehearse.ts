/** What would become of a log in another release: as it is, and with a repair that has this release for a target. */
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { examine } from './examine.ts'
import { planRepair } from './plan-repair.ts'

export interface Rehearsal {
  readonly target: string
  /** Whether a repair makes the target open it. */
  readonly opensRepaired: boolean
  /** What the repair would change: families of an upgrade, and other kinds of steps. */
  readonly changes: readonly { readonly what: string; readonly count: number }[]
  /** Why a repair is refused. */
  readonly refused: readonly string[]
}

export async function rehearse(
  { source, file }: { readonly source: RecordSource; readonly file: string },
  target: string,
  limits: ReadLimits,
): Promise<Rehearsal> {
  const options = { limits, file, target, keep: 'living', allowUnknown: false } as const
  const { steps, refused } = await planRepair(source, await examine(source, limits, options), options)
  const changes = new Map<string, number>()
  for (const step of refused.length > 0 ? [] : steps) {
    const what = step.kind === 'upgrade' ? step.args.family : step.kind
    changes.set(what, (changes.get(what) ?? 0) + step.count)
  }
  return {
    target,
    opensRepaired: refused.length === 0,
    changes: [...changes].map(([what, count]) => ({ what, count })),
    refused,
  }
}
