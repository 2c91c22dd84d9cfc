/**
 * Messages before the first step of a log. Early builds wrote the message of the user between the start of the turn and
 * that of the step; format 3 has a system message in front of everything the model sees, which only a step can hold.
 */
import type { SessionEvent } from '../event/session-event.ts'
import { type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import type { ReplayStep } from '../replay/reducer.ts'
import type { Changes, NewRow } from './changes.ts'

export class FirstStepMending {
  readonly #changes: Changes
  /** The first message, and the turn that was open then. */
  #first: { readonly seq: number; readonly time: number; readonly turn: number | undefined } | undefined
  /** The start of a turn after that message. */
  #turnStart: SessionEvent | undefined
  #isDone = false

  constructor(changes: Changes) {
    this.#changes = changes
  }

  on({ event, effect, before }: ReplayStep): void {
    if (this.#isDone) return
    const { type, seq, time } = event
    if (this.#first === undefined) {
      if (type === 'step/start') this.#isDone = true
      else if (effect.kind !== 'log-only') this.#first = { seq, time, turn: before.openTurn }
      return
    }
    if (type === 'step/start') this.#moveStart(event)
    else if (type === 'turn/start') {
      // A second turn before any step: there is nothing that could be moved.
      if (this.#turnStart !== undefined || this.#first.turn !== undefined) this.#isDone = true
      this.#turnStart = event
    } else if (type === 'turn/end') this.#isDone = true
  }

  #moveStart(step: SessionEvent): void {
    this.#isDone = true
    const { seq, turn } = this.#first as { seq: number; turn: number | undefined }
    const start = this.#turnStart
    const opened = start === undefined ? turn : turnOf(start.data)
    if (opened === undefined || opened !== turnOf(step.data)) return
    const moved = start === undefined ? [step] : [start, step]
    for (const event of moved) this.#changes.drop(event.seq, 'first-step')
    this.#changes.insert(seq, 'first-step', ...moved.map(rowOf))
  }
}

function turnOf(data: JsonValue): JsonValue | undefined {
  return objectIn(data).turn
}

function rowOf({ type, time, data }: SessionEvent): NewRow {
  return { type, time, data: data as JsonObject }
}
