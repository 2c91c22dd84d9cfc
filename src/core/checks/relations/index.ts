/** The relations that the readers of format 4 enforce every time they open a log (format.md §7.3, §12.E). */
import type { FindingSink } from '../../findings/finding.ts'
import type { Reducer } from '../../replay/reducer.ts'
import { commandRelations, titleRelations } from './command-relations.ts'
import { compactionRelations } from './compaction-relations.ts'
import { dispatchRelations } from './dispatch-relations.ts'
import { catalogRelations, deliveryRelations } from './lineage-relations.ts'
import { sourceRelations, toolChangeRelations } from './message-relations.ts'
import { retryRelations } from './retry-relations.ts'
import { SystemHead, systemHeadRelations } from './system-head.ts'
import { toolRelations } from './tool-relations.ts'
import { turnRelations } from './turn-relations.ts'

export function relationChecks(report: FindingSink): readonly Reducer<void>[] {
  const head = new SystemHead()
  return [
    turnRelations(report),
    systemHeadRelations(report, head),
    toolRelations(report),
    compactionRelations(report, head),
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
