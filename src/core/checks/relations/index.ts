/** The relations that the readers of format 4 enforce every time they open a log (format.md §7.3, §12.E). */
import type { FindingSink } from '../../findings/finding.ts'
import type { Reducer } from '../../replay/reducer.ts'
import { ENFORCED_TURNS, turnChecks } from '../turns.ts'
import { commandRelations, titleRelations } from './command-relations.ts'
import { compactionRelations, ENFORCED_COMPACTIONS } from './compaction-relations.ts'
import { dataRelations } from './data-relations.ts'
import { dispatchRelations } from './dispatch-relations.ts'
import { catalogRelations, deliveryRelations } from './lineage-relations.ts'
import { sourceRelations, toolChangeRelations } from './message-relations.ts'
import { retryRelations } from './retry-relations.ts'
import { SystemHead, systemHeadRelations } from './system-head.ts'

export function relationChecks(report: FindingSink): readonly Reducer<void>[] {
  const head = new SystemHead()
  return [
    turnChecks(report, ENFORCED_TURNS),
    dataRelations(report),
    systemHeadRelations(report, head),
    compactionRelations(report, head, ENFORCED_COMPACTIONS),
    commandRelations(report),
    titleRelations(report),
    retryRelations(report),
    dispatchRelations(report),
    deliveryRelations(report),
    catalogRelations(report),
    toolChangeRelations(report),
    sourceRelations(report),
  ]
}
