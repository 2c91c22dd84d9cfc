/** Events of which a reader of format 4 wants an object as data, told once whatever else is wrong with it. */
import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject } from '../../json/json-value.ts'
import type { Reducer } from '../../replay/reducer.ts'
import { raiseInto } from '../raise.ts'
import { ENFORCED_TURNS } from '../turns.ts'

const WITH_DATA: ReadonlySet<string> = new Set([
  'turn/start',
  'turn/end',
  'step/start',
  'user/message',
  ...ENFORCED_TURNS.inStep,
  ...ENFORCED_TURNS.inTurn,
  'command/run',
  'command/done',
  'session/title',
  'session/title-llm-request',
  'llm/retry',
  'llm/retry-started',
  'session-log-deepseek/delivery-accepted',
])

export function dataRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  return {
    on(step) {
      const { type, data } = step.event
      if (isJsonObject(data)) return
      if (WITH_DATA.has(type) || type.startsWith('compaction/'))
        raise(step, 'relation/data-not-object', { type })
    },
    finish() {},
  }
}
