/** An outcome whose reports are made while they are printed, for anyone who needs all of them. */
import { withItems } from '../../report/report.ts'
import type { Outcome } from './command.ts'

/** The outcome with all that its reports hold. */
export async function wholeOutcome(outcome: Outcome): Promise<Outcome> {
  const { live } = outcome
  if (live === undefined) return outcome
  if ('items' in live) {
    const items = await listed<object>(live.items)
    const end = live.end()
    return { ...end, reportSet: withItems(end.reportSet, items) }
  }
  const reports = await listed(live.reports)
  const end = live.end()
  return { ...end, reportSet: { ...end.reportSet, reports } }
}

async function listed<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
