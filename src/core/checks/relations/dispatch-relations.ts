/** Dispatches of a programmatic tool call: unique ids, a parent in the same tree, settled at most once as started. */

import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject, isName, type JsonObject, sameJson } from '../../json/json-value.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { relationSink } from './relation.ts'

const MUST_MATCH = ['rootCallId', 'parentCallId', 'name', 'arguments'] as const

export function dispatchRelations(report: FindingSink): Reducer<void> {
  const broken = relationSink(report, 'relation/dispatch')
  const started = new Map<string, JsonObject>()
  const settled = new Set<string>()

  function onStart(step: ReplayStep, data: JsonObject): void {
    const { subCallId, rootCallId, parentCallId } = data
    if (!isName(subCallId) || !isName(rootCallId)) {
      broken(step, 'it needs subCallId and rootCallId')
      return
    }
    if (started.has(subCallId)) broken(step, `dispatch ${subCallId} was started before`)
    const parent = isName(parentCallId) ? started.get(parentCallId) : undefined
    if (parentCallId !== rootCallId && parent?.rootCallId !== rootCallId)
      broken(step, 'its parent is not in its tree')
    started.set(subCallId, data)
  }

  function onSettle(step: ReplayStep, data: JsonObject): void {
    const id = String(data.subCallId)
    const start = started.get(id)
    if (start === undefined) broken(step, `dispatch ${id} was never started`)
    else if (settled.has(id)) broken(step, `dispatch ${id} is settled already`)
    else if (MUST_MATCH.some((key) => !sameJson(start[key], data[key])))
      broken(step, 'it differs from its start')
    settled.add(id)
  }

  return {
    on(step) {
      const { type, data } = step.event
      if (type !== 'tool/ptc-dispatch-start' && type !== 'tool/ptc-dispatch') return
      if (!isJsonObject(data)) broken(step, 'data must be an object')
      else if (type === 'tool/ptc-dispatch-start') onStart(step, data)
      else onSettle(step, data)
    },
    finish() {},
  }
}
