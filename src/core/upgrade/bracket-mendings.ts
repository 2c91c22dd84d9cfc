/**
 * Turns and steps as the migrations want them: numbered from 1 without holes, closed before the next one, every event of
 * a step with the numbers of the step that is open, no compaction over the end of a turn. What is open tells what an event
 * has to say, and what follows tells what was closed.
 */
import { startsTurn } from '../compatibility/migration/to-format-2.ts'
import type { SessionEvent } from '../event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { compactionEnd } from '../repair/closers.ts'
import type { ReplayStep } from '../replay/reducer.ts'
import type { Changes, NewRow } from './changes.ts'

/** Events of a step, which name it. */
const IN_STEP: ReadonlySet<string> = new Set([
  ...['assistant/message', 'assistant/attempt', 'assistant/chunk', 'tool/call', 'tool/result'],
  ...['llm/retry', 'llm/retry-started'],
])

/** The end of a compaction that a turn boundary would cross. */
interface Crossing {
  readonly before: number
  readonly row: NewRow
}

export class BracketMendings {
  readonly #changes: Changes
  #turn: number | undefined
  #step: number | undefined
  #nextTurn = 1
  #nextStep = 1
  #previous: SessionEvent | undefined
  #crossing: Crossing | undefined
  readonly #crossings: Crossing[] = []
  /** Seqs in front of which a bracket was put. */
  readonly #filled = new Set<number>()

  constructor(changes: Changes) {
    this.#changes = changes
  }

  on(step: ReplayStep): void {
    const { event, change } = step
    const hasWaiting = change.abandoned.length > 0
    switch (event.type) {
      case 'turn/start':
        this.#crosses(event, step.cursor.compaction)
        this.#turnStart(event, hasWaiting)
        break
      case 'turn/end':
        this.#crosses(event, step.cursor.compaction)
        this.#turnEnd(event, hasWaiting)
        break
      case 'step/start':
        this.#stepStart(event, step.cursor.pending.size > 0)
        break
      case 'step/end':
        this.#stepEnd(event)
        break
      default:
        if (this.#step !== undefined && IN_STEP.has(event.type) && !isRewrite(event))
          this.#place(event, { turn: this.#turn, step: this.#step })
    }
    this.#follow(event)
    this.#previous = event
  }

  finish(): void {
    if (this.#crossing !== undefined) this.#crossings.push(this.#crossing)
    // What is before the same event goes in one after the other, round by round.
    for (const { before, row } of this.#crossings)
      if (!this.#filled.has(before)) this.#changes.insert(before, 'open-compactions', row)
  }

  #turnStart(event: SessionEvent, hasWaiting: boolean): void {
    if (this.#turn !== undefined && !this.#isRestart() && !hasWaiting) {
      this.#fill(event, [
        ...this.#openStepEnd(event),
        { type: 'turn/end', time: event.time, data: { turn: this.#turn, reason: { kind: 'interrupted' } } },
      ])
    }
    if (this.#turn !== undefined) this.#nextTurn++
    this.#turn = this.#nextTurn
    this.#step = undefined
    this.#nextStep = 1
    this.#place(event, { turn: this.#turn })
  }

  #turnEnd(event: SessionEvent, hasWaiting: boolean): void {
    if (this.#turn === undefined) {
      this.#changes.drop(event.seq, 'brackets')
      return
    }
    if (this.#step !== undefined && !hasWaiting) this.#fill(event, this.#openStepEnd(event))
    this.#place(event, { turn: this.#turn })
    this.#turn = undefined
    this.#step = undefined
    this.#nextTurn++
  }

  #stepStart(event: SessionEvent, hasWaiting: boolean): void {
    if (this.#turn === undefined) return
    if (this.#step !== undefined) {
      if (!hasWaiting) this.#fill(event, this.#openStepEnd(event))
      this.#nextStep++
    }
    this.#step = this.#nextStep
    this.#place(event, { turn: this.#turn, step: this.#step })
  }

  #stepEnd(event: SessionEvent): void {
    if (this.#step === undefined) {
      if (this.#turn !== undefined) this.#changes.drop(event.seq, 'brackets')
      return
    }
    this.#place(event, { turn: this.#turn, step: this.#step })
    this.#step = undefined
    this.#nextStep++
  }

  #openStepEnd({ time }: SessionEvent): readonly NewRow[] {
    if (this.#turn === undefined || this.#step === undefined) return []
    return [{ type: 'step/end', time, data: { turn: this.#turn, step: this.#step } }]
  }

  #fill({ seq }: SessionEvent, rows: readonly NewRow[]): void {
    if (rows.length === 0) return
    this.#filled.add(seq)
    this.#changes.insert(seq, 'brackets', ...rows)
  }

  #place({ seq, data }: SessionEvent, wanted: Readonly<Record<string, number | undefined>>): void {
    if (!isJsonObject(data)) return
    for (const [member, value] of Object.entries(wanted))
      if (value !== undefined && !Object.is(data[member], value))
        this.#changes.change(seq, 'places', { at: ['data', member], value })
  }

  /** A turn that starts right after the message it was started for: the migrations close the one before by themselves. */
  #isRestart(): boolean {
    return this.#step === undefined && startsTurn(this.#previous)
  }

  #crosses({ seq, time }: SessionEvent, start: JsonObject | undefined): void {
    if (typeof start?.turn !== 'number' || this.#crossing !== undefined) return
    this.#crossing = { before: seq, row: { type: 'compaction/end', time, data: endOf(start, this.#turn) } }
  }

  /** An end that comes later closes the compaction, and a fork leaves it behind: neither tells where it ended. */
  #follow(event: SessionEvent): void {
    const { type } = event
    if (type === 'compaction/end' || type === 'session/end-seed') this.#crossing = undefined
    if (type === 'compaction/start' && this.#crossing !== undefined) {
      this.#crossings.push(this.#crossing)
      this.#crossing = undefined
    }
    if (type !== 'compaction/start' && type !== 'compaction/end') return
    if (isJsonObject(event.data) && typeof event.data.turn === 'number' && this.#turn !== undefined)
      this.#place(event, { turn: this.#turn })
  }
}

function isRewrite({ type, surfaceOp }: SessionEvent): boolean {
  return type === 'tool/result' && surfaceOp !== 'append'
}

function endOf(start: JsonObject, turn: JsonValue | undefined): JsonObject {
  return compactionEnd(turn === undefined ? start : { ...start, turn }, false)
}
