/** Attempts of requests in a migrated log: those of one chain count from 1, and each is scheduled before it is started. */

import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { stringifyJson } from '../../json/stringify-json.ts'
import type { FaultIn, MigratedEvent, RefusalReport } from './refusal.ts'

interface Retry {
  readonly id: JsonValue | undefined
  readonly count: JsonValue | undefined
  readonly turn: JsonValue | undefined
  readonly step: JsonValue | undefined
}

interface Turns {
  /** The turn that is open. */
  readonly turn: JsonValue | undefined
  /** The step that is open, or was the last. */
  readonly lastStep: JsonValue
}

export class RetryRelations {
  readonly #report: RefusalReport
  readonly #turns: Turns
  readonly #chains = new Map<string, Retry>()
  readonly #chainOfRetry = new Map<JsonValue | undefined, string>()
  readonly #retries = new Map<string, Retry>()
  readonly #started = new Set<string>()

  constructor(report: RefusalReport, turns: Turns) {
    this.#report = report
    this.#turns = turns
  }

  schedule(event: MigratedEvent, data: JsonObject, latestProvider: JsonValue | undefined): void {
    const { turn, step, provider, policyKey, retryId, retry } = data
    const refuse = (fault: FaultIn<'retry'>, part?: number): void =>
      this.#report(event, 'retry', fault, { part })
    const open = this.#turns
    if (open.turn === undefined || turn !== open.turn || step !== open.lastStep) refuse('elsewhere')
    if (provider !== latestProvider) refuse('provider')
    const chain = stringifyJson([turn, step, provider, policyKey])
    const before = this.#chains.get(chain)
    const expected = (typeof before?.count === 'number' ? before.count : 0) + 1
    if (retry !== expected) refuse('number', expected)
    if (before === undefined ? this.#chainOfRetry.has(retryId) : before.id !== retryId) refuse('id')
    const made = { id: retryId, count: retry, turn, step }
    this.#chains.set(chain, made)
    this.#chainOfRetry.set(retryId, chain)
    const key = stringifyJson([retryId, retry])
    if (!this.#retries.has(key)) this.#retries.set(key, made)
  }

  start(event: MigratedEvent, { retryId, retry, turn, step }: JsonObject): void {
    const key = stringifyJson([retryId, retry])
    const scheduled = this.#retries.get(key)
    if (scheduled === undefined) this.#report(event, 'retry', 'not-scheduled')
    else if (scheduled.turn !== turn || scheduled.step !== step) this.#report(event, 'retry', 'moved')
    if (this.#started.has(key)) this.#report(event, 'retry', 'started')
    this.#started.add(key)
  }
}
