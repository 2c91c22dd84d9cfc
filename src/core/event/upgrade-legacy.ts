/**
 * Older shapes inside format 0, upgraded in memory as the 0.1 releases do (format.md §9.1); the file keeps its shape.
 * The order of the members of an upgraded event is that of DSH, so that derived messages are the same text.
 */
import type { EvidenceOf } from '../findings/rules.ts'
import { hasOnlyKeys, isJsonObject, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import { SeqTable } from './seq-index.ts'
import { messageOf, type SessionEvent } from './session-event.ts'

export type Upgrade =
  | { readonly kind: 'current' }
  | { readonly kind: 'upgraded'; readonly event: SessionEvent; readonly shape: string }
  | ({ readonly kind: 'malformed' } & Omit<EvidenceOf<'legacy/malformed'>, 'type'>)
  | { readonly kind: 'retired'; readonly what: string }

const CURRENT: Upgrade = { kind: 'current' }

/** Upgrades the events of one log in order: a rewritten tool/result inherits the id of the message it rewrites. */
export class LegacyUpgrader {
  readonly #sessionId: string
  readonly #messageIds = new SeqTable<string>()

  constructor(sessionId: string) {
    this.#sessionId = sessionId
  }

  upgrade(event: SessionEvent): Upgrade {
    const upgrade = this.#upgrade(event)
    const current = upgrade.kind === 'upgraded' ? upgrade.event : event
    if (
      current.type === 'tool/result' ||
      current.type === 'user/message' ||
      current.type === 'assistant/message'
    ) {
      const id = messageOf(current)?.id
      if (typeof id === 'string') this.#messageIds.set(event.seq, id)
    }
    return upgrade
  }

  #upgrade(event: SessionEvent): Upgrade {
    const { type, data } = event
    switch (type) {
      case 'turn/start':
        return isJsonObject(data) && Object.hasOwn(data, 'trigger') ? turnStart(event, data) : CURRENT
      case 'turn/end':
        return isJsonObject(data) ? turnEnd(event, data) : CURRENT
      case 'steering/message':
        return this.#steering(event)
      case 'user/message':
        return isJsonObject(data) ? this.#user(event, data) : CURRENT
      case 'assistant/message':
        return isJsonObject(data) ? this.#assistant(event, data) : CURRENT
      case 'tool/result':
        return isJsonObject(data) ? this.#result(event, data) : CURRENT
      default: {
        const what = retiredVocabulary(event)
        return what === undefined ? CURRENT : { kind: 'retired', what }
      }
    }
  }

  #id(seq: number): string {
    return `legacy-message:${this.#sessionId}:${seq}`
  }

  #steering(event: SessionEvent): Upgrade {
    const { data } = event
    const shape = 'steering/message'
    if (isJsonObject(data) && Number.isSafeInteger(data.turn)) {
      const { turn: _turn, ...message } = data
      if (hasOnlyKeys(data, ['turn', 'message']) && isJsonObject(data.message)) {
        return upgraded({ ...event, type: 'user/message', data: data.message }, shape)
      }
      if (hasOnlyKeys(data, ['turn', 'content', 'source'])) {
        const user: JsonObject = { ...message, id: this.#id(event.seq), role: 'user' }
        return upgraded({ ...event, type: 'user/message', data: user }, shape)
      }
    }
    return { kind: 'malformed', fault: 'message' }
  }

  #user(event: SessionEvent, data: JsonObject): Upgrade {
    const has = (key: string): boolean => Object.hasOwn(data, key)
    if (has('id') || has('role') || has('message') || !has('content') || !has('source')) return CURRENT
    return upgraded(
      { ...event, data: { ...data, id: this.#id(event.seq), role: 'user' } },
      'user/message without id and role',
    )
  }

  #assistant(event: SessionEvent, data: JsonObject): Upgrade {
    const has = (key: string): boolean => Object.hasOwn(data, key)
    if (has('message') || !has('content') || !has('provenance')) return CURRENT
    const { content, provenance, ...rest } = data
    const source = { ...objectIn(provenance), kind: 'model' }
    const message: JsonObject = { id: this.#id(event.seq), role: 'assistant', content, source }
    return upgraded({ ...event, data: { ...rest, message } }, 'assistant/message without wrapper')
  }

  #result(event: SessionEvent, data: JsonObject): Upgrade {
    const has = (key: string): boolean => Object.hasOwn(data, key)
    if (has('message') || !has('callId') || !has('content') || !has('isError')) return CURRENT
    const { callId, content, isError, ...rest } = data
    const op: unknown = event.surfaceOp
    const rewritten =
      isJsonObject(op) && op.op === 'replace' && typeof op.start === 'number' ? op.start : undefined
    const id = rewritten === undefined ? this.#id(event.seq) : this.#messageIds.get(rewritten)
    const message: JsonObject = {
      ...(id !== undefined && { id }),
      role: 'user',
      content: [{ type: 'tool-result', toolCallId: callId, content, isError } as JsonObject],
      source: { kind: 'tool', callId },
    }
    return upgraded({ ...event, data: { ...rest, message } }, 'tool/result without wrapper')
  }
}

/** Vocabulary that no released build reads, in any format; what it is called, or `undefined`. */
export function retiredVocabulary({ type, data }: SessionEvent): string | undefined {
  if (type === 'request/header-delta' || type === 'mode/set') return `event type ${type}`
  const isFallback = type === 'request/header' && isJsonObject(data) && data.reason === 'fallback'
  return isFallback ? 'request/header reason fallback' : undefined
}

function turnStart(event: SessionEvent, data: JsonObject): Upgrade {
  const { turn, trigger } = data
  const sound =
    isTurnNumber(turn) &&
    hasOnlyKeys(data, ['turn', 'trigger']) &&
    isJsonObject(trigger) &&
    typeof trigger.kind === 'string' &&
    trigger.kind !== ''
  if (!sound) return { kind: 'malformed', fault: 'trigger' }
  return upgraded({ ...event, data: { turn } }, 'turn/start with trigger')
}

const BARE_REASONS = ['completed', 'blocked', 'max-tokens', 'interrupted']
const FAILURE_OPTIONAL = { status: 'number', providerRetryAfterMs: 'number', requestId: 'string' } as const

function turnEnd(event: SessionEvent, data: JsonObject): Upgrade {
  const { turn, reason } = data
  if (!isTurnNumber(turn) || !hasOnlyKeys(data, ['turn', 'reason'])) {
    return { kind: 'malformed', fault: 'data' }
  }
  if (!isJsonObject(reason) || typeof reason.kind !== 'string') {
    return { kind: 'malformed', fault: 'no-kind' }
  }
  const to = (current: JsonObject): Upgrade =>
    upgraded({ ...event, data: { ...data, reason: current } }, `turn/end reason ${reason.kind}`)
  const malformed: Upgrade = { kind: 'malformed', fault: 'other-members', reason: reason.kind }
  const bare = hasOnlyKeys(reason, ['kind'])
  if (BARE_REASONS.includes(reason.kind)) return bare ? CURRENT : malformed
  if (reason.kind === 'aborted') {
    if (Object.hasOwn(reason, 'reason')) return CURRENT
    return bare ? to({ kind: 'aborted', reason: { kind: 'legacy' } }) : malformed
  }
  if (reason.kind === 'disposed')
    return bare ? to({ kind: 'aborted', reason: { kind: 'disposed' } }) : malformed
  if (reason.kind !== 'error' || Object.hasOwn(reason, 'error')) return CURRENT
  const error = oldFailure(reason)
  return error === undefined ? malformed : to({ kind: 'error', error })
}

function oldFailure(reason: JsonObject): JsonObject | undefined {
  const { step, failure, message, code } = reason
  if (!Number.isSafeInteger(step) || (step as number) < 0) return undefined
  if (isJsonObject(failure) && hasOnlyKeys(reason, ['kind', 'step', 'failure'])) {
    const sound =
      hasOnlyKeys(failure, ['message', 'code'], Object.keys(FAILURE_OPTIONAL)) &&
      typeof failure.message === 'string' &&
      typeof failure.code === 'string' &&
      Object.entries(FAILURE_OPTIONAL).every(
        ([key, kind]) => failure[key] === undefined || typeof failure[key] === kind,
      )
    if (sound) return failure
  }
  const sound =
    hasOnlyKeys(reason, ['kind', 'step', 'message'], ['code']) &&
    typeof message === 'string' &&
    (code === undefined || typeof code === 'string')
  return sound ? { message, code: typeof code === 'string' ? code : 'UNKNOWN' } : undefined
}

function isTurnNumber(turn: JsonValue | undefined): boolean {
  return Number.isSafeInteger(turn) && (turn as number) >= 1
}

function upgraded(event: SessionEvent, shape: string): Upgrade {
  return { kind: 'upgraded', event, shape }
}
