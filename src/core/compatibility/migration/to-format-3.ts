/** Events of formats 0 to 2 on the way to format 3 (format.md §9.4): the system prompt becomes a message of the first step. */
import { isSurfaceEligibleType } from '../../event-types/vocabulary.ts'
import { type JsonObject, type JsonValue, objectIn, stringIn } from '../../json/json-value.ts'
import {
  type FaultArea,
  type FaultIn,
  FROM_3,
  type MigratedEvent,
  type MigratedLog,
  type RefusalReport,
} from './refusal.ts'

export class ToFormat3 {
  readonly #log: MigratedLog
  readonly #report: RefusalReport
  /** The system prompt of the latest request header, and whether there is a message of it yet. */
  #prompt: JsonValue = ''
  #hasHead = false
  #inStep = false
  #foreignMark: MigratedEvent | undefined

  constructor(log: MigratedLog, report: RefusalReport) {
    this.#log = log
    this.#report = report
  }

  take(event: MigratedEvent, data: JsonObject): void {
    const { type } = event
    const refuse = <Area extends FaultArea>(area: Area, fault: FaultIn<Area>): void =>
      this.#report(event, area, fault, { targets: FROM_3 })
    if (type === 'request/header') {
      const prompt = stringIn(objectIn(data.header).system)
      if (prompt !== this.#prompt) {
        if (!this.#inStep) refuse('prompt-change', 'outside-step')
        this.#prompt = prompt
        this.#hasHead ||= this.#inStep
      }
    }
    if (isSurfaceEligibleType(type) && !this.#hasHead) refuse('before-first-step', 'message')
    if (
      type === 'session/end-seed' &&
      data.inherited === true &&
      this.#log.format === 2 &&
      this.#log.isSeeded === false
    )
      refuse('seed-marker', 'header')
    if (
      type === 'session-log-deepseek/delivery-accepted' &&
      data.sessionFormatVersion === 2 &&
      data.sessionId !== this.#log.sessionId
    )
      this.#foreignMark = event
    if (type === 'step/start') {
      this.#inStep = true
      this.#hasHead = true
    } else if (type === 'step/end' || type === 'turn/end') this.#inStep = false
  }

  /** @param inherited - number of inherited events, when a marker says so. */
  finish(inherited = 0): void {
    const mark = this.#foreignMark
    if (this.#log.format === 2 && mark !== undefined && (!this.#log.hasParent || mark.seq >= inherited))
      this.#report(mark, 'upload-mark', 'session', { targets: FROM_3 })
  }
}
