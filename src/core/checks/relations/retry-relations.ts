/** Retries: attempts of one policy count 1, 2, … within their step, and each is started at most once. */
import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from '../../json/json-value.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../../replay/reducer.ts'
import { raiseInto } from '../raise.ts'

interface Chain {
  readonly retryId: JsonValue | undefined
  last: number
}

export function retryRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  let provider: JsonValue | undefined
  let lastStep: Pick<ReplayStep['before'], 'turn' | 'step'> | undefined
  const chains = new Map<string, Chain>()
  const scheduled = new Set<string>()

  function onRetry(step: ReplayStep, data: JsonObject): void {
    if (data.provider !== provider)
      raise(step, 'relation/retry-provider', { provider: data.provider, expected: provider })
    const { turn: openTurn, step: openStep } = step.before
    const inOpenStep = openTurn !== undefined && data.turn === openTurn && data.step === openStep
    const inLastStep = lastStep !== undefined && data.turn === lastStep.turn && data.step === lastStep.step
    if (!inOpenStep && !inLastStep) raise(step, 'relation/retry-step', { turn: data.turn, step: data.step })
    const key = JSON.stringify([data.turn, data.step, data.provider, data.policyKey])
    const chain = chains.get(key)
    const expected = (chain?.last ?? 0) + 1
    if (data.retry !== expected) raise(step, 'relation/retry-number', { retry: data.retry, expected })
    if (chain !== undefined && chain.retryId !== data.retryId)
      raise(step, 'relation/retry-id', { retryId: data.retryId, expected: chain.retryId })
    chains.set(key, { retryId: data.retryId, last: typeof data.retry === 'number' ? data.retry : 0 })
    scheduled.add(attemptKey(data))
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
    else if (!scheduled.delete(attemptKey(data)))
      raise(step, 'relation/retry-not-scheduled', { retryId: data.retryId, retry: data.retry })
  })
}

function attemptKey({ retryId, turn, step, retry }: JsonObject): string {
  return JSON.stringify([retryId, turn, step, retry])
}
