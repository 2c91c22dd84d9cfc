/**
 * Prints what upgrades do wrong with the mutants of the rich logs, and what they refuse, grouped by type and member. Run
 * with the Node of the oracle:
 *
 *   node test/oracle/upgrade/print-upgrades.ts [--versions 0,2] [--share 0.1] [--only TEXT] [--refused]
 */
import { parseArgs } from 'node:util'
import type { Version } from '../campaign/log-draft.ts'
import { type UpgradeFault, upgradeCampaign } from './upgrade-campaign.ts'

const { values } = parseArgs({
  options: {
    versions: { type: 'string', default: '0,2' },
    share: { type: 'string', default: '1' },
    only: { type: 'string' },
    refused: { type: 'boolean', default: false },
  },
})
const versions = values.versions.split(',').map(Number) as Version[]
const seed = process.env.RESURFACE_SEED ?? 'resurface'
const { asked, mended, refused, faults } = await upgradeCampaign(
  versions,
  Number(values.share),
  seed,
  values.only,
)
if (values.refused) print(refused)
print(faults)
console.log(`${asked} logs: ${mended} mended, ${refused.length} refused, ${faults.length} faults`)

function print(list: readonly UpgradeFault[]): void {
  const groups = new Map<string, UpgradeFault[]>()
  for (const fault of list) {
    const { type, path } = fault.mutant
    const key = `${type} ${path}`
    groups.set(key, [...(groups.get(key) ?? []), fault])
  }
  for (const [group, members] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${group}: ${[...new Set(members.map(({ mutant }) => mutant.change))].join(', ')}`)
    for (const problem of new Set(members.map((member) => member.problem.slice(0, 300))))
      console.log(`    ${problem}`)
  }
}
