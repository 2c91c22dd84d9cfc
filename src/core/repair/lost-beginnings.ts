/**
 * What has ended or gone on has begun: the start of a dispatch, the run of a command, the attempt that a retry goes on
 * with, the request that it repeats, the message that a title is made from. What the log says of them is put back; the
 * rest of a lost event says that it is lost.
 */
import type { Dialect } from '../dialect/dialect.ts'
import type { SessionEvent } from '../event/session-event.ts'
import {
  isCount,
  isJsonObject,
  isName,
  type JsonObject,
  type JsonValue,
  objectIn,
} from '../json/json-value.ts'
import type { Gaps, NeededMessage, Place } from './gaps.ts'
import { repairedMessageId } from './identity-patches.ts'
import { noteSource } from './note-events.ts'
import type { RowContext } from './row-mend.ts'

/** The name of a command that nothing tells. */
const UNKNOWN_COMMAND = 'unknown'
const UNKNOWN_FAILURE = { message: 'the record of this failure is lost', code: 'UNKNOWN' }
const LOST_MESSAGE = '[A message stood here. It is lost.]'
const LOST_MESSAGE_OF_USER = '[A message of the user stood here. Its text is lost.]'
/** No retry has more attempts than this put back. */
const MOST_ATTEMPTS = 20

/** What the attempts of a retry have in common. */
interface Chain {
  last: number
  told: JsonObject
}

export class LostBeginnings {
  readonly #gaps: Gaps
  readonly #dialect: Dialect
  readonly #sessionId: string
  readonly #dispatches = new Set<JsonValue | undefined>()
  readonly #runs = new Set<JsonValue | undefined>()
  /** Where a command that was not run is named first, by the compaction that it made. */
  readonly #compacting = new Map<JsonValue, Place | undefined>()
  readonly #chains = new Map<JsonValue, Chain>()
  #provider: JsonValue | undefined
  #hasRequest = false
  #model: RowContext['model']
  /** What the last attempt failed with. */
  #failure: JsonObject | undefined

  constructor(gaps: Gaps, dialect: Dialect, sessionId: string, model: RowContext['model']) {
    this.#gaps = gaps
    this.#dialect = dialect
    this.#sessionId = sessionId
    this.#model = model
  }

  /** The model that was named last. */
  get model(): RowContext['model'] {
    return this.#model
  }

  /** @param shown - the last event that showed which turn and step are open. */
  take({ type, seq, data: stored }: SessionEvent, shown: number): void {
    const data = objectIn(stored)
    switch (type) {
      case 'tool/ptc-dispatch-start':
        this.#dispatches.add(data.subCallId)
        return
      case 'tool/ptc-dispatch':
        this.#onDispatch(data, shown, seq)
        return
      case 'command/run':
        this.#runs.add(data.commandId)
        return
      case 'compaction/start':
        this.#onCompaction(data.sourceCommandId, seq)
        return
      case 'command/done':
        this.#onDone(data.commandId, seq)
        return
      case 'request/header':
        this.#hasRequest = true
        this.#provider = objectIn(objectIn(data.header).config).provider
        this.#useModel(objectIn(objectIn(data.header).config))
        return
      case 'request/context':
        this.#useModel(data)
        return
      case 'assistant/attempt':
        this.#failure = failureIn(data.stream)
        return
      case 'assistant/message':
        this.#useModel(objectIn(objectIn(data.message).source))
        return
      case 'llm/retry':
        this.#onRetry(data, shown, seq)
        return
      case 'llm/retry-started':
        this.#onStarted(data, shown, seq)
    }
  }

  /** A title says that the user said something, a summary that there was something to sum up. */
  restoreMessage({ seqs, isOfUser }: NeededMessage): void {
    const [lost] = seqs
    const gap = this.#gaps.met.find(({ first, end }) => lost !== undefined && first <= lost && lost < end)
    const isThere = this.#gaps
      .fillings()
      .some(
        ({ claimed, type }) =>
          claimed !== undefined && seqs.includes(claimed) && (!isOfUser || type === 'user/message'),
      )
    if (gap === undefined || lost === undefined || isThere) return
    const source = isOfUser ? { kind: 'user' } : noteSource(this.#dialect)
    const content = [{ type: 'text', text: isOfUser ? LOST_MESSAGE_OF_USER : LOST_MESSAGE }]
    const filling = this.#gaps.add(gap, 'user/message', (own) => ({
      data: { id: repairedMessageId(this.#sessionId, own), role: 'user', source, content },
      surfaceOp: 'append',
    }))
    filling.claimed = lost
  }

  #useModel({ provider, model }: JsonObject): void {
    if (isName(provider) && isName(model)) this.#model = { provider, model }
  }

  /** A dispatch that was settled was started; the two say the same. */
  #onDispatch(data: JsonObject, shown: number, seq: number): void {
    const { subCallId } = data
    if (this.#dispatches.has(subCallId)) return
    this.#dispatches.add(subCallId)
    const place = this.#gaps.since(shown, seq)
    if (place === undefined) return
    const { rootCallId, parentCallId, name, arguments: args } = data
    const start = { rootCallId, parentCallId, subCallId, name, arguments: args } as JsonObject
    this.#gaps.put(place, 'tool/ptc-dispatch-start', start)
  }

  #onCompaction(commandId: JsonValue | undefined, seq: number): void {
    if (!isName(commandId) || this.#runs.has(commandId) || this.#compacting.has(commandId)) return
    this.#compacting.set(commandId, this.#gaps.lastBefore(seq))
  }

  #onDone(commandId: JsonValue | undefined, seq: number): void {
    if (!isName(commandId) || this.#runs.has(commandId)) return
    this.#runs.add(commandId)
    const isCompact = this.#compacting.has(commandId)
    const place = this.#compacting.get(commandId) ?? this.#gaps.lastBefore(seq)
    if (place === undefined) return
    const name = isCompact ? 'compact' : UNKNOWN_COMMAND
    this.#gaps.put(place, 'command/run', { commandId, name, source: { kind: 'user' } })
  }

  // Retries ----------------------------------------------------------------------------------------------------------

  #onRetry(data: JsonObject, shown: number, seq: number): void {
    const { retryId, provider, retry, mode, policyKey, maxRetries } = data
    if (!isName(retryId) || !isName(provider) || !isCount(retry)) return
    if (!this.#hasRequest) this.#restoreRequest(provider, seq)
    const chain = this.#chainOf(retryId)
    chain.told = { provider, mode, policyKey, ...(maxRetries !== undefined && { maxRetries }) } as JsonObject
    this.#restoreAttempts(data, chain, retry - 1, this.#gaps.since(shown, seq))
    chain.last = retry
  }

  #onStarted(data: JsonObject, shown: number, seq: number): void {
    const { retryId, retry } = data
    if (!isName(retryId) || !isCount(retry)) return
    const place = this.#gaps.since(shown, seq)
    if (!this.#hasRequest && this.#model !== undefined) this.#restoreRequest(this.#model.provider, seq)
    this.#restoreAttempts(data, this.#chainOf(retryId), retry, place)
  }

  #chainOf(retryId: string): Chain {
    const known = this.#chains.get(retryId)
    if (known !== undefined) return known
    const chain: Chain = { last: 0, told: {} }
    this.#chains.set(retryId, chain)
    return chain
  }

  /** Puts back the attempts of a retry up to a number; what they have in common a later one may tell. */
  #restoreAttempts(
    { retryId, turn, step }: JsonObject,
    chain: Chain,
    until: number,
    place: Place | undefined,
  ): void {
    if (place === undefined || until - chain.last > MOST_ATTEMPTS) return
    const failure = this.#failure ?? UNKNOWN_FAILURE
    const provider = this.#provider ?? this.#model?.provider
    for (let retry = chain.last + 1; retry <= until; retry++)
      this.#gaps.add(place, 'llm/retry', () => {
        const told = { provider, mode: 'always', policyKey: retryId, ...chain.told } as JsonObject
        return { data: { retryId, turn, step, ...told, retry, delayMs: 0, failure } as JsonObject }
      })
    chain.last = Math.max(chain.last, until)
  }

  /** A retry repeats a request. Its model an answer may tell later. */
  #restoreRequest(provider: string, seq: number): void {
    const place = this.#gaps.lastBefore(seq)
    this.#hasRequest = true
    if (place === undefined) return
    this.#provider = provider
    this.#gaps.add(place, 'request/header', () => {
      const model = this.#model?.provider === provider ? this.#model.model : 'unknown'
      return { data: { header: { config: { provider, model } }, reason: 'initial' } }
    })
  }
}

function failureIn(stream: JsonValue | undefined): JsonObject | undefined {
  for (const record of Array.isArray(stream) ? stream.filter(isJsonObject) : []) {
    const { failure } = objectIn(objectIn(record.chunk).reason)
    if (isJsonObject(failure)) return failure
  }
  return undefined
}
