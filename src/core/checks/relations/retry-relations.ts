/** Retries: attempts of one policy count 1, 2, … within their step, and each is started at most once. */

import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject, isName, type JsonObject, type JsonValue, objectIn } from '../../json/json-value.ts'
import type { MemberEdit } from '../../json/member-edit.ts'
import { stringifyJson } from '../../json/stringify-json.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../../replay/reducer.ts'
import { raiseInto, toldData } from '../raise.ts'

interface Chain {
  readonly retryId: JsonValue | undefined
  last: number
}

const TYPES: ReadonlySet<string> = new Set(['step/end', 'request/header', 'llm/retry', 'llm/retry-started'])

export function retryRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  let provider: JsonValue | undefined
  let lastStep: Pick<ReplayStep['before'], 'turn' | 'step'> | undefined
  const chains = new Map<string, Chain>()
  /** Attempts that wait to be started: by their step, and there by what identifies them. */
  const scheduled = new Map<string, Map<string, JsonObject>>()

  function onRetry(step: ReplayStep, data: JsonObject): void {
    if (data.provider !== provider) {
      const told = isName(provider) ? toldData({ provider }) : undefined
      raise(step, 'relation/retry-provider', { provider: data.provider, expected: provider }, undefined, told)
    }
    const { turn: openTurn, step: openStep } = step.before
    const inOpenStep = openTurn !== undefined && data.turn === openTurn && data.step === openStep
    const inLastStep = lastStep !== undefined && data.turn === lastStep.turn && data.step === lastStep.step
    if (!inOpenStep && !inLastStep) {
      const { turn, step: number } = openStep === undefined ? (lastStep ?? {}) : step.before
      const told = number === undefined ? undefined : toldData({ turn, step: number })
      raise(step, 'relation/retry-step', { turn: data.turn, step: data.step }, undefined, told)
    }
    const key = stringifyJson([data.turn, data.step, data.provider, data.policyKey])
    const chain = chains.get(key)
    const expected = (chain?.last ?? 0) + 1
    if (data.retry !== expected) {
      const told = toldData({ retry: expected })
      raise(step, 'relation/retry-number', { retry: data.retry, expected }, undefined, told)
    }
    if (chain !== undefined && chain.retryId !== data.retryId) {
      const { retryId } = chain
      const told = isName(retryId) ? toldData({ retryId }) : undefined
      raise(step, 'relation/retry-id', { retryId: data.retryId, expected: retryId }, undefined, told)
    }
    chains.set(key, { retryId: data.retryId, last: typeof data.retry === 'number' ? data.retry : 0 })
    const waiting = scheduled.get(stepKey(data)) ?? new Map<string, JsonObject>()
    scheduled.set(stepKey(data), waiting.set(attemptKey(data), data))
  }

  function onStarted(step: ReplayStep, data: JsonObject): void {
    const waiting = scheduled.get(stepKey(data))
    if (waiting?.delete(attemptKey(data))) return
    const { retryId, retry } = data
    const [one] = waiting?.values() ?? []
    const told =
      one !== undefined && waiting?.size === 1
        ? toldData({ retryId: one.retryId, retry: one.retry })
        : toldPlace(data)
    if (told !== undefined) waiting?.clear()
    raise(step, 'relation/retry-not-scheduled', { retryId, retry }, undefined, told)
  }

  /** The step in which this attempt waits. */
  function toldPlace(data: JsonObject): readonly MemberEdit[] | undefined {
    for (const waiting of scheduled.values()) {
      const one = waiting.get(attemptKey(data))
      if (one === undefined) continue
      waiting.delete(attemptKey(data))
      return toldData({ turn: one.turn, step: one.step })
    }
    return undefined
  }

  return eachEvent((step) => {
    const { type, data } = step.event
    if (type === 'step/end') lastStep = step.before
    if (type === 'request/header' && isJsonObject(data) && isJsonObject(data.header)) {
      const { config } = data.header
      provider = objectIn(config).provider
    }
    if (type !== 'llm/retry' && type !== 'llm/retry-started') return
    if (!isJsonObject(data)) return
    if (type === 'llm/retry') onRetry(step, data)
    else onStarted(step, data)
  }, TYPES)
}

function stepKey({ turn, step }: JsonObject): string {
  return stringifyJson([turn, step])
}

function attemptKey({ retryId, retry }: JsonObject): string {
  return stringifyJson([retryId, retry])
}
