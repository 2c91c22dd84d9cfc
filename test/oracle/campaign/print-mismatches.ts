/**
 * Prints what resurface and the published readers do not agree on, grouped by type, member and change. For those who
 * work on the catalogue; run with the Node of the oracle, which takes TypeScript as it is:
 *
 *   node test/oracle/campaign/print-mismatches.ts [--versions 0,2] [--share 0.1] [--only TEXT] [--show N]
 *
 * `--show` prints so many logs of each group. `RESURFACE_SEED` chooses another share.
 */
import { parseArgs } from 'node:util'
import { missingReaders } from '../readers-process.ts'
import { type Mismatch, runCampaign } from './campaign.ts'
import type { Version } from './log-draft.ts'

const missing = missingReaders()
if (missing !== undefined) throw new Error(missing)
const { values } = parseArgs({
  options: {
    versions: { type: 'string', default: '0,1,2,3' },
    share: { type: 'string', default: '1' },
    only: { type: 'string' },
    show: { type: 'string', default: '0' },
  },
})
const { asked, mismatches } = await runCampaign({
  versions: values.versions.split(',').map(Number) as Version[],
  share: Number(values.share),
  seed: process.env.RESURFACE_SEED ?? 'resurface',
  only: values.only,
})
const groups = new Map<string, Mismatch[]>()
for (const mismatch of mismatches) {
  const { mutant, opens } = mismatch
  const group = `${opens ? 'we refuse' : 'we open  '} ${mutant.type} ${mutant.path}`
  groups.set(group, [...(groups.get(group) ?? []), mismatch])
}
for (const [group, members] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const changes = new Set(
    members.map(({ mutant, version, format }) => `${mutant.change} (${version}→${format})`),
  )
  console.log(`${group}: ${[...changes].join(', ')}`)
  for (const why of new Set(members.map(({ why }) => why.slice(0, 160)))) console.log(`    ${why}`)
  for (const { mutant } of members.slice(0, Number(values.show))) console.log(mutant.text())
}
const share = asked === 0 ? 0 : (100 * (asked - mismatches.length)) / asked
console.log(`${asked} verdicts, ${mismatches.length} differ (${share.toFixed(2)} % agree)`)
