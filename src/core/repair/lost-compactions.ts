/** The start and the end of a compaction that were lost, where what is left of the compaction or what crosses it proves them. */
import { messageOf, type SessionEvent } from '../event/session-event.ts'
import { isJsonObject, isName, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { compactionEnd } from './closers.ts'
import type { Filling, Gaps } from './gaps.ts'

interface Compaction {
  readonly start: JsonObject
  since: number
  hasSummary: boolean
  hasCheckpoint: boolean
  /** Its start, where that was put in. */
  readonly filling?: Filling
  /** Its end, put in where a turn crosses it. */
  end?: Filling
}

export class LostCompactions {
  readonly #gaps: Gaps
  #open: Compaction | undefined

  constructor(gaps: Gaps) {
    this.#gaps = gaps
  }

  onStart(start: JsonObject, seq: number): void {
    this.cross(seq)
    this.#open = { start, since: seq, hasSummary: false, hasCheckpoint: false }
  }

  /** @param shown - the last event that showed which turn is open. */
  onSummary(data: JsonObject, turn: number | undefined, shown: number, seq: number): void {
    const open = this.#opened(data, turn, shown, seq)
    if (open !== undefined) open.hasSummary = true
  }

  onCheckpoint(event: SessionEvent, turn: number | undefined, shown: number): void {
    const source = messageOf(event)?.source
    const open = isJsonObject(source) ? this.#opened(source, turn, shown, event.seq) : undefined
    if (open !== undefined) open.hasCheckpoint = true
  }

  /**
   * The end of a compaction says in which turn it began.
   * @returns its start, where that was put in and belongs between turns.
   */
  onEnd(data: JsonObject, turn: number | undefined, shown: number, seq: number): Filling | undefined {
    const open = this.#opened(data, turn, shown, seq)
    if (open === undefined) return undefined
    this.#open = undefined
    const { start, filling } = open
    const named = data.turn ?? null
    if (filling === undefined || start.turn === named) return undefined
    ;(start as Record<string, JsonValue>).turn = named
    return named === null ? filling : undefined
  }

  /** A compaction that something crosses has ended before; where it brought no summary, with an error. */
  cross(seq: number): void {
    const open = this.#open
    if (open === undefined || open.end !== undefined) return
    const place = this.#gaps.since(open.since, seq) ?? this.#gaps.enforcedPlace(seq)
    if (place === undefined) return
    const data = compactionEnd(open.start, open.hasSummary && open.hasCheckpoint)
    open.end = this.#gaps.put(place, 'compaction/end', data)
  }

  /** A marker of a resume sets the latest compaction aside, so it needs no end. */
  orphan(): void {
    if (this.#open?.end !== undefined) this.#gaps.remove(this.#open.end)
    this.#open = undefined
  }

  /** What belongs to a compaction proves its start. @returns the compaction, where it is the open one. */
  #opened(
    { compactionId, sourceCommandId }: JsonObject,
    turn: number | undefined,
    shown: number,
    seq: number,
  ): Compaction | undefined {
    if (isName(compactionId) && this.#open?.start.compactionId !== compactionId) {
      const place = this.#gaps.since(shown, seq)
      if (place !== undefined) {
        const start: JsonObject = {
          compactionId,
          ...(sourceCommandId !== undefined && { sourceCommandId }),
          turn: turn ?? null,
        }
        const filling = this.#gaps.put(place, 'compaction/start', start)
        this.#open = { start, since: seq, hasSummary: false, hasCheckpoint: false, filling }
      }
    }
    const open = this.#open
    if (open === undefined || open.start.compactionId !== compactionId) return undefined
    open.since = seq
    return open
  }
}
