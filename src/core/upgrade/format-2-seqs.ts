/**
 * Which seq an event of formats 0 and 1 gets in format 2 (format.md §9.3): chunks leave, attempts that no answer has
 * claimed become an event at the place of their last chunk, and a few events are put between.
 */
import type { SessionEvent, SessionHeader } from '../event/session-event.ts'
import { isJsonObject, type JsonValue, objectIn, sameJson } from '../json/json-value.ts'

interface Pending {
  readonly turn: JsonValue | undefined
  readonly step: JsonValue | undefined
  readonly first: number
  isFinished: boolean
  last: number
  /** Events after its last chunk, which come after it. */
  readonly waiting: SessionEvent[]
}

const CLOSING: ReadonlySet<string> = new Set(['turn/end', 'step/end', 'llm/retry', 'llm/retry-started'])

export class Format2Seqs {
  readonly #cut: number | undefined
  readonly #numbered: (event: SessionEvent, seq: number) => void
  #next = 0
  #isPastCut: boolean
  #pending: Pending | undefined
  #openTurn: JsonValue | undefined
  #openStep: JsonValue | undefined
  #before: SessionEvent | undefined

  /** @param numbered - is told the seq of every event that stays, in the order of format 2. */
  constructor(header: SessionHeader | undefined, numbered: (event: SessionEvent, seq: number) => void) {
    this.#cut = header?.seedLength
    this.#isPastCut = this.#cut === undefined
    this.#numbered = numbered
  }

  on(event: SessionEvent): void {
    const { type, seq } = event
    const data = objectIn(event.data)
    if (type === 'turn/start' && this.#restarts(data.turn)) {
      this.#finish()
      this.#made(seq, 'turn/end')
    }
    this.#follow(event)
    if (type === 'assistant/chunk') this.#chunk(event)
    else if (type === 'assistant/message') this.#answer(event)
    else if (CLOSING.has(type)) {
      this.#finish()
      this.#emit(event)
    } else if (this.#pending !== undefined) this.#pending.waiting.push(event)
    else this.#emit(event)
  }

  finish(): void {
    this.#finish()
  }

  #restarts(turn: JsonValue | undefined): boolean {
    const before = this.#before
    if (typeof this.#openTurn !== 'number' || this.#openStep !== undefined || turn !== this.#openTurn + 1)
      return false
    if (before?.type !== 'agent/inbox/spliced' || !isJsonObject(before.data)) return false
    const { target, inserted } = before.data
    return target === 'next-turn' && Array.isArray(inserted) && inserted.length > 0
  }

  #follow(event: SessionEvent): void {
    const data = objectIn(event.data)
    if (event.type === 'turn/start') this.#openTurn = data.turn
    if (event.type === 'turn/end') this.#openTurn = undefined
    if (event.type === 'step/start') this.#openStep = data.step
    if (event.type === 'step/end' || event.type === 'turn/start' || event.type === 'turn/end')
      this.#openStep = undefined
    this.#before = event
  }

  #chunk(event: SessionEvent): void {
    const { turn, step, chunk } = objectIn(event.data)
    const current = this.#pending
    if (current !== undefined && (current.isFinished || current.turn !== turn || current.step !== step))
      this.#finish()
    else if (current !== undefined) this.#flush(current)
    this.#pending ??= { turn, step, first: event.seq, isFinished: false, last: event.seq, waiting: [] }
    this.#pending.last = event.seq
    this.#pending.isFinished =
      isJsonObject(chunk as JsonValue) && (chunk as { type?: unknown }).type === 'finish'
  }

  #answer(event: SessionEvent): void {
    const pending = this.#pending
    const { turn, step } = objectIn(event.data)
    const isOwn = pending !== undefined && pending.turn === turn && pending.step === step
    if (!isOwn || sameJson(event.sourceEventSeqs, [])) this.#finish()
    else {
      this.#flush(pending)
      this.#pending = undefined
    }
    this.#emit(event)
  }

  #finish(): void {
    const pending = this.#pending
    if (pending === undefined) return
    this.#pending = undefined
    this.#made(pending.last, 'assistant/attempt')
    this.#flush(pending)
  }

  #flush({ waiting }: Pending): void {
    for (const event of waiting.splice(0)) this.#emit(event)
  }

  #emit(event: SessionEvent): void {
    const source = objectIn(event.data).source
    // A goal of early builds becomes two events.
    if (event.type === 'user/message' && isJsonObject(source as JsonValue)) {
      const { kind, change } = source as { kind?: unknown; change?: unknown }
      if (kind === 'goal' && change !== undefined) this.#made(event.seq, 'goal/change')
    }
    this.#passCut(event.seq, event.type)
    this.#numbered(event, this.#next++)
  }

  #made(origin: number, type: string): void {
    this.#passCut(origin, type)
    this.#next++
  }

  /** The end of what was inherited gets a mark of its own, unless it has one. */
  #passCut(origin: number, type: string): void {
    if (this.#isPastCut || origin < (this.#cut ?? 0)) return
    this.#isPastCut = true
    if (origin !== this.#cut || type !== 'session/end-seed') this.#next++
  }
}
