/** What would become of a log in another release: as it is, and with a repair that has this release for a target. */
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { examine } from './examine.ts'
import { planRepair } from './plan-repair.ts'

export async function rehearse(
  { source, file }: { readonly source: RecordSource; readonly file: string },
  target: string,
  limits: ReadLimits,
) {
  const options = { limits, file, target, keep: 'living', allowUnknown: false } as const
  const { steps, refused } = await planRepair(source, await examine(source, limits, options), options)
  const changes = new Map<string, number>()
  for (const step of refused.length > 0 ? [] : steps) {
    const what = step.kind === 'upgrade' ? step.args.family : step.kind
    changes.set(what, (changes.get(what) ?? 0) + step.count)
  }
  // The changes are families of an upgrade, and other kinds of steps.
  return {
    target,
    opensRepaired: refused.length === 0,
    changes: [...changes].map(([what, count]) => ({ what, count })),
    refused,
  }
}
