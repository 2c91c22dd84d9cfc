/**
 * Format 0 as its migration leaves it (format.md §9.1, §9.2): early names and shapes become those that the later releases
 * know, and ids that early builds did not write are given.
 */

import type { SessionEvent } from '../../event/session-event.ts'
import { LegacyUpgrader } from '../../event/upgrade-legacy.ts'
import { catalogued } from '../../event-types/vocabulary.ts'
import { about } from '../../findings/rules/shared-words.ts'
import { EARLY_SHAPES } from '../../findings/rules/vocabulary.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { stringifyJson } from '../../json/stringify-json.ts'
import type { FaultIn, MigratedEvent } from './refusal.ts'

/** Why an event is not handed on. */
interface EarlyFault {
  readonly fault: FaultIn<'early-shape'>
  readonly part?: string
}

export class EarlyShapes {
  readonly #sessionId: string
  readonly #upgrader: LegacyUpgrader
  readonly #retries = new Map<string, string>()
  #compaction: string | undefined

  constructor(sessionId: string) {
    this.#sessionId = sessionId
    this.#upgrader = new LegacyUpgrader(sessionId)
  }

  /** The event as the migration hands it on, or why it does not. */
  upgrade(stored: MigratedEvent): MigratedEvent | EarlyFault {
    const { type } = stored
    const row = catalogued(type)
    if (row?.retired === true) return { fault: 'retired-type' }
    const named =
      row?.earlyNameOf?.startsWith('compaction/') === true ? { ...stored, type: row.earlyNameOf } : stored
    if (type === 'steering/message' && isJsonObject(stored.data) && !isSeq(stored.data.turn))
      return { fault: 'turn' }
    if (type === 'turn/end' && hasOddStep(stored.data)) return { fault: 'reason-step' }
    const upgrade = this.#upgrader.upgrade(named as unknown as SessionEvent)
    if (upgrade.kind === 'malformed')
      return { fault: 'incomplete', part: about(EARLY_SHAPES[upgrade.fault], upgrade.reason ?? undefined) }
    if (upgrade.kind === 'retired') return { fault: 'retired', part: upgrade.what }
    const event =
      upgrade.kind === 'upgraded' ? { ...named, ...(upgrade.event as unknown as MigratedEvent) } : named
    return isJsonObject(event.data) ? this.#identified(event, event.data) : event
  }

  #identified(event: MigratedEvent, data: JsonObject): MigratedEvent {
    switch (event.type) {
      case 'llm/retry':
        return this.#retry(event, data)
      case 'compaction/start': {
        if (isName(data.compactionId)) this.#compaction = data.compactionId
        if (Object.hasOwn(data, 'compactionId')) return event
        this.#compaction = `legacy-compaction:${this.#sessionId}:${event.seq}`
        return { ...event, data: { ...data, compactionId: this.#compaction } }
      }
      case 'compaction/summary':
      case 'compaction/end': {
        const compactionId = this.#compaction
        if (event.type === 'compaction/end') this.#compaction = undefined
        return { ...event, data: withId(data, compactionId) }
      }
      case 'user/message': {
        const { source } = data
        const isCheckpoint = isJsonObject(source) && source.kind === 'plugin' && source.plugin === 'compact'
        return isCheckpoint
          ? { ...event, data: { ...data, source: withId(source, this.#compaction) } }
          : event
      }
      case 'session/end-seed':
        this.#compaction = undefined
        return event
      case 'request/header':
        return { ...event, data: withoutPrefix(data) }
      default:
        return event
    }
  }

  #retry(event: MigratedEvent, data: JsonObject): MigratedEvent {
    const chain = stringifyJson([data.turn, data.step, data.provider, data.policyKey])
    if (isName(data.retryId)) this.#retries.set(chain, data.retryId)
    if (Object.hasOwn(data, 'retryId')) return event
    const retryId = this.#retries.get(chain) ?? `legacy-retry:${this.#sessionId}:${event.seq}`
    this.#retries.set(chain, retryId)
    return { ...event, data: { ...data, retryId } }
  }
}

function withId(object: JsonObject, compactionId: string | undefined): JsonObject {
  return compactionId === undefined || Object.hasOwn(object, 'compactionId')
    ? object
    : { ...object, compactionId }
}

/** Early request headers repeat the first messages; a list of them is left out. */
function withoutPrefix(data: JsonObject): JsonValue {
  const { header } = data
  if (!isJsonObject(header) || !Array.isArray(header.messagePrefix)) return data
  const { messagePrefix: _, ...rest } = header
  return { ...data, header: rest }
}

/** The reason of early builds names the step in which a turn failed. */
function hasOddStep(data: JsonValue | undefined): boolean {
  const reason = isJsonObject(data) ? data.reason : undefined
  if (!isJsonObject(reason) || reason.kind !== 'error' || Object.hasOwn(reason, 'error')) return false
  return !isSeq(reason.step)
}

function isSeq(value: JsonValue | undefined): boolean {
  return isCount(value) && !Object.is(value, -0)
}
