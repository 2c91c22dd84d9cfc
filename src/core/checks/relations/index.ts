/** The relations that the readers of format 4 enforce every time they open a log (format.md §7.3, §12.E). */

import { dialectOf } from '../../dialect/dialect.ts'
import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject } from '../../json/json-value.ts'
import { eachEvent, type Reducer } from '../../replay/reducer.ts'
import { raiseInto } from '../raise.ts'
import { commandRelations, titleRelations } from './command-relations.ts'
import { dispatchRelations } from './dispatch-relations.ts'
import { catalogRelations, deliveryRelations } from './lineage-relations.ts'
import { sourceRelations, toolChangeRelations } from './message-relations.ts'
import { retryRelations } from './retry-relations.ts'
import { type SystemHead, systemHeadRelations } from './system-head.ts'

/** Apart from those that are advice in earlier formats, which are next to the advice. */
export function relationChecks(report: FindingSink, head: SystemHead): readonly Reducer<void>[] {
  return [
    dataRelations(report),
    systemHeadRelations(report, head),
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

/** Events of which a reader of format 4 wants an object as data, told once whatever else is wrong with it. */
const WITH_DATA: ReadonlySet<string> = new Set([
  'turn/start',
  'turn/end',
  'step/start',
  'user/message',
  ...dialectOf(4).inStep,
  ...dialectOf(4).inTurn,
  'command/run',
  'command/done',
  'session/title',
  'session/title-llm-request',
  'llm/retry',
  'llm/retry-started',
  'session-log-deepseek/delivery-accepted',
])

function dataRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  return eachEvent((step) => {
    const { type, data } = step.event
    if (isJsonObject(data)) return
    if (WITH_DATA.has(type) || type.startsWith('compaction/'))
      raise(step, 'relation/data-not-object', { type })
  })
}
