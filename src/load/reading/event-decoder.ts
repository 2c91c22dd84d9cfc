/**
 * The rows of events → events of the core, with whatever is wrong with them as findings: row admission, envelope, older
 * shapes, message shapes. It knows the format of the log and nothing of its order.
 */
import type { Dialect } from '../../core/dialect/dialect.ts'
import { hasRanges } from '../../core/dialect/source-ranges.ts'
import { decodeEnvelope } from '../../core/event/decode-envelope.ts'
import { closingHazard, messageFinding } from '../../core/event/decode-message.ts'
import type { SessionEvent } from '../../core/event/session-event.ts'
import { LegacyUpgrader, retiredVocabulary } from '../../core/event/upgrade-legacy.ts'
import { catalogued, eventType } from '../../core/event-types/vocabulary.ts'
import type { Finding, FindingSink } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'
import { isCount, isJsonObject, type JsonObject } from '../../core/json/json-value.ts'
import type { StoredRow } from './stored-row.ts'

export class EventDecoder {
  readonly dialect: Dialect
  readonly #legacy: LegacyUpgrader
  readonly #report: FindingSink
  /** Give events as they are stored. */
  readonly #asStored: boolean
  /** Older shapes and newer encodings are mentioned once each. */
  readonly #mentioned = new Set<string>()

  constructor(dialect: Dialect, sessionId: string, report: FindingSink, asStored: boolean) {
    this.dialect = dialect
    this.#legacy = new LegacyUpgrader(sessionId)
    this.#report = report
    this.#asStored = asStored
  }

  /** Reports a row that refuses the log wherever it is. */
  admit({ value, record }: StoredRow): void {
    const refusal = isJsonObject(value) ? this.dialect.refusal(value) : undefined
    if (refusal === undefined || !isJsonObject(value)) return
    const circumstances = { origin: record.origin, ...(isCount(value.seq) && { seq: value.seq }) }
    this.#report({ ...refusal, ...circumstances })
  }

  decode(row: JsonObject, seq: number, origin: Origin): SessionEvent {
    const stored = decodeEnvelope(row, seq, origin, (finding) => {
      if (!saysNothing(row, finding, this.dialect)) this.#report(finding)
    })
    // Readers of format 0 take -0 for 0; those of format 3 count the row as damaged.
    if (this.dialect.version >= 2 && Object.is(row.seq, -0))
      this.#report({
        code: 'envelope/invalid',
        origin,
        seq,
        args: { fault: 'negative-zero', member: 'seq' },
      })
    if (this.#asStored) return stored
    if (this.dialect.version === 0 && hasRanges(row.sourceEventSeqs))
      this.#mention('sources/ranges', origin, seq)
    const event =
      this.dialect.version === 0 ? this.#upgraded(stored, origin) : this.#unretired(stored, origin)
    const hazard = this.dialect.relations ? undefined : closingHazard(event, origin)
    const finding = messageFinding(event, origin, this.dialect) ?? hazard
    if (finding !== undefined) this.#report(finding)
    return event
  }

  /** Readers of format 0 refuse the early names of compactions; what the events say is clear all the same. */
  #renamed(event: SessionEvent, origin: Origin): SessionEvent {
    const { seq, type } = event
    const name = catalogued(type)?.earlyNameOf
    if (
      name === undefined ||
      this.dialect.knows(type) ||
      type === 'steering/message' ||
      event.ignorable === true
    )
      return event
    this.#report({ code: 'vocabulary/early-name', origin, seq, args: { type, name } })
    return { ...event, type: name }
  }

  #mention(code: 'sources/ranges', origin: Origin, seq: number): void {
    if (!this.#mentioned.has(code)) this.#report({ code, origin, seq, args: {} })
    this.#mentioned.add(code)
  }

  /** Later formats know no older shapes, but the same retired request header. */
  #unretired(event: SessionEvent, origin: Origin): SessionEvent {
    const what = event.type === 'request/header' ? retiredVocabulary(event) : undefined
    if (what !== undefined)
      this.#report({ code: 'vocabulary/retired', origin, seq: event.seq, args: { what } })
    return event
  }

  #upgraded(stored: SessionEvent, origin: Origin): SessionEvent {
    const event = this.#renamed(stored, origin)
    const upgrade = this.#legacy.upgrade(event)
    const { seq, type } = event
    switch (upgrade.kind) {
      case 'current':
        return event
      case 'upgraded': {
        const { shape } = upgrade
        if (!this.#mentioned.has(shape)) this.#report({ code: 'legacy/shape', origin, seq, args: { shape } })
        this.#mentioned.add(shape)
        return upgrade.event
      }
      case 'malformed':
        this.#report({
          code: 'legacy/malformed',
          origin,
          seq,
          args: { type, fault: upgrade.fault, reason: upgrade.reason },
        })
        return event
      case 'retired':
        this.#report({ code: 'vocabulary/retired', origin, seq, args: { what: upgrade.what } })
        return event
    }
  }
}

/** On an unknown type, `ignorable: false` says no more than absence: the type itself is the problem (§2.3). */
function saysNothing(row: JsonObject, { code, args }: Finding, { version }: Dialect): boolean {
  // Early names are known where they are upgraded.
  const typeOf = version === 0 ? catalogued : eventType
  const isUnknown = typeof row.type === 'string' && typeOf(row.type) === undefined
  return code === 'envelope/invalid' && args.member === 'ignorable' && row.ignorable === false && isUnknown
}
