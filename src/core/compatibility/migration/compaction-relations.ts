/** Compactions of a migrated log: one is open at a time, in the turn that it names, and no turn boundary is inside it. */
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { MigratedEvent, RefusalReport } from './refusal.ts'

interface OpenCompaction {
  readonly id: JsonValue | undefined
  readonly command: JsonValue | undefined
  readonly turn: JsonValue | undefined
  isSummarized: boolean
  /** Reports a turn boundary inside it; an end-seed that finds it open says that it was left behind by a fork. */
  readonly crossings: (() => void)[]
}

/** How often one compaction may be crossed before further crossings are no longer listed. */
const MOST_CROSSINGS = 100

export class CompactionRelations {
  readonly #report: RefusalReport
  readonly #turns: { readonly turn: JsonValue | undefined }
  #open: OpenCompaction | undefined

  /** @param turns - the turn that is open. */
  constructor(report: RefusalReport, turns: { readonly turn: JsonValue | undefined }) {
    this.#report = report
    this.#turns = turns
  }

  start(event: MigratedEvent, { compactionId, sourceCommandId, turn }: JsonObject): void {
    if (this.#open !== undefined) this.#report(event, 'compaction', 'open')
    this.#crossed()
    this.#inTurn(event, turn)
    this.#open = {
      id: compactionId,
      command: sourceCommandId,
      turn,
      isSummarized: false,
      crossings: [],
    }
  }

  summarize(event: MigratedEvent, data: JsonObject): void {
    const open = this.#open
    if (!this.isOf(data) || open === undefined) this.#report(event, 'compaction', 'not-open')
    else {
      this.#inTurn(event, open.turn)
      if (open.isSummarized) this.#report(event, 'compaction', 'summarized')
      open.isSummarized = true
    }
  }

  end(event: MigratedEvent, data: JsonObject): void {
    const open = this.#open
    if (!this.isOf(data) || open === undefined) {
      this.#report(event, 'compaction', 'ends-none')
      return
    }
    if (data.turn !== open.turn) this.#report(event, 'compaction', 'turn', { path: 'data.turn' })
    this.#inTurn(event, open.turn)
    if (data.error === undefined && !open.isSummarized) this.#report(event, 'compaction', 'no-summary')
    this.#crossed()
    this.#open = undefined
  }

  /** Whether it names the compaction that is open. */
  isOf({ compactionId, sourceCommandId }: JsonObject): boolean {
    return (
      compactionId === this.#open?.id && sourceCommandId === this.#open?.command && this.#open !== undefined
    )
  }

  #inTurn(event: MigratedEvent, owner: JsonValue | undefined): void {
    if ((owner ?? undefined) !== this.#turns.turn) this.#report(event, 'compaction', 'other-turn')
  }

  /** A turn boundary, while a compaction is open. */
  crosses(event: MigratedEvent): void {
    const crossings = this.#open?.crossings
    if (crossings !== undefined && crossings.length < MOST_CROSSINGS)
      crossings.push(() => this.#report(event, 'compaction', 'crossed'))
  }

  #crossed(): void {
    for (const report of this.#open?.crossings ?? []) report()
  }

  /** A compaction that is still open here was left behind by the parent; turns may cross it. */
  endSeed(): void {
    this.#open = undefined
  }

  /** At the end of the log: a compaction that nothing ended was crossed after all. */
  finish(): void {
    this.#crossed()
    this.#open = undefined
  }
}
