/** Dispatches of a programmatic tool call: unique ids, a parent in the same tree, settled at most once as started. */
import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject, isName, type JsonObject, sameJson, wordOf } from '../../json/json-value.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../../replay/reducer.ts'
import { raiseInto, toldData } from '../raise.ts'

const MUST_MATCH = ['rootCallId', 'parentCallId', 'name', 'arguments'] as const

const DISPATCHES: ReadonlySet<string> = new Set(['tool/ptc-dispatch-start', 'tool/ptc-dispatch'])

export function dispatchRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  const started = new Map<string, JsonObject>()
  const settled = new Set<string>()
  const open = new Map<string, JsonObject>()

  function onStart(step: ReplayStep, data: JsonObject): void {
    const { subCallId, rootCallId, parentCallId } = data
    if (!isName(subCallId) || !isName(rootCallId)) {
      raise(step, 'relation/dispatch-id-missing', {})
      return
    }
    if (started.has(subCallId)) raise(step, 'relation/dispatch-repeated', { subCallId })
    const parent = isName(parentCallId) ? started.get(parentCallId) : undefined
    if (parentCallId !== rootCallId && parent?.rootCallId !== rootCallId) {
      const told = parent === undefined ? undefined : toldData({ rootCallId: parent.rootCallId })
      raise(step, 'relation/dispatch-parent', { subCallId, parentCallId, rootCallId }, undefined, told)
    }
    started.set(subCallId, data)
    open.set(subCallId, data)
  }

  function onSettle(step: ReplayStep, data: JsonObject): void {
    const id = wordOf(data.subCallId)
    const start = started.get(id)
    if (start === undefined) onUnstarted(step, data)
    else if (settled.has(id)) raise(step, 'relation/dispatch-settled-twice', { subCallId: id })
    else {
      const [member, ...others] = MUST_MATCH.filter((key) => !sameJson(start[key], data[key]))
      if (member !== undefined) {
        const told = [member, ...others].flatMap((key) => toldData({ [key]: start[key] }))
        raise(step, 'relation/dispatch-differs', { subCallId: id, member }, undefined, told)
      }
    }
    settled.add(id)
    open.delete(id)
  }

  /** It settles the only dispatch that is open, when that was started so. */
  function onUnstarted(step: ReplayStep, data: JsonObject): void {
    const [[subCallId, start] = []] = open
    const isAlike = open.size === 1 && MUST_MATCH.every((key) => sameJson(start?.[key], data[key]))
    const told = isAlike ? toldData({ subCallId }) : undefined
    raise(step, 'relation/dispatch-not-started', { subCallId: data.subCallId }, undefined, told)
  }

  return eachEvent((step) => {
    const { type, data } = step.event
    if (type !== 'tool/ptc-dispatch-start' && type !== 'tool/ptc-dispatch') return
    if (!isJsonObject(data)) return
    if (type === 'tool/ptc-dispatch-start') onStart(step, data)
    else onSettle(step, data)
  }, DISPATCHES)
}
