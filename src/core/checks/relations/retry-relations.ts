/** Retries: attempts of one policy count 1, 2, … within their step, and each is started at most once. */

import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { relationSink } from './relation.ts'

interface Chain {
  readonly retryId: JsonValue | undefined
  last: number
}

export function retryRelations(report: FindingSink): Reducer<void> {
  const broken = relationSink(report, 'relation/retry')
  let provider: JsonValue | undefined
  let lastStep: { turn: number | undefined; step: number | undefined } | undefined
  const chains = new Map<string, Chain>()
  const scheduled = new Set<string>()

  function onRetry(step: ReplayStep, data: JsonObject): void {
    if (data.provider !== provider) broken(step, 'its provider is not that of the latest request/header')
    const { openTurn, openStep } = step.before
    const inOpenStep = openTurn !== undefined && data.turn === openTurn && data.step === openStep
    const inLastStep = lastStep !== undefined && data.turn === lastStep.turn && data.step === lastStep.step
    if (!inOpenStep && !inLastStep) broken(step, 'its turn and step are neither open nor the last to close')
    const key = JSON.stringify([data.turn, data.step, data.provider, data.policyKey])
    const chain = chains.get(key)
    if (data.retry !== (chain?.last ?? 0) + 1) broken(step, `expected attempt ${(chain?.last ?? 0) + 1}`)
    if (chain !== undefined && chain.retryId !== data.retryId)
      broken(step, 'its retryId is not that of its chain')
    chains.set(key, { retryId: data.retryId, last: typeof data.retry === 'number' ? data.retry : 0 })
    scheduled.add(attemptKey(data))
  }

  return {
    on(step) {
      const { type, data } = step.event
      if (type === 'step/end') lastStep = { turn: step.before.openTurn, step: step.before.openStep }
      if (type === 'request/header' && isJsonObject(data) && isJsonObject(data.header)) {
        const { config } = data.header
        provider = isJsonObject(config) ? config.provider : undefined
      }
      if (type !== 'llm/retry' && type !== 'llm/retry-started') return
      if (!isJsonObject(data)) broken(step, 'data must be an object')
      else if (type === 'llm/retry') onRetry(step, data)
      else if (!scheduled.delete(attemptKey(data))) broken(step, 'no scheduled attempt matches it')
    },
    finish() {},
  }
}

function attemptKey({ retryId, turn, step, retry }: JsonObject): string {
  return JSON.stringify([retryId, turn, step, retry])
}
