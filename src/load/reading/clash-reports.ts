/**
 * Reports rows that use seqs taken before. Of a log that still grows, what is said of a clash is said at once, and made
 * good at the end, when all rows that belong to it are there.
 */
import type { Finding } from '../../core/findings/finding.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import { laterStays } from '../../core/repair/arrange-runs.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { type Clash, ClashIndex } from './clash-index.ts'
import type { ItemQueue } from './item-queue.ts'
import type { Repetition } from './numbering.ts'

/** How often a growing log is read again for a clash in its new part; of more clashes only the end tells the kind. */
const MOST_READINGS = 16

export class ClashReports {
  readonly #source: RecordSource
  readonly #queue: ItemQueue
  readonly #early: { readonly finding: Finding; readonly repetition: Repetition }[] = []
  #index: ClashIndex | undefined
  #readings = 0

  constructor(source: RecordSource, queue: ItemQueue) {
    this.#source = source
    this.#queue = queue
  }

  async report(repetition: Repetition): Promise<void> {
    const finding = findingOf(repetition, await this.#explain(repetition))
    this.#queue.emit(finding)
    if (this.#source.stored !== undefined) this.#early.push({ finding, repetition })
  }

  async finish(): Promise<void> {
    if (this.#early.length === 0) return
    const index = await ClashIndex.of(this.#source)
    for (const { finding: instead, repetition } of this.#early) {
      this.#queue.emit({ ...findingOf(repetition, index.explain(repetition)), instead })
    }
  }

  async #explain(repetition: Repetition): Promise<Clash | undefined> {
    if (this.#index === undefined || this.#index.lastLine < repetition.lastLine) {
      if (this.#readings++ >= MOST_READINGS) return undefined
      this.#index = await ClashIndex.of(this.#source)
    }
    return this.#index.explain(repetition)
  }
}

function findingOf({ origin, first, last, rows, expected }: Repetition, clash: Clash | undefined): Finding {
  const seen = clash as (Pick<Clash, 'kind'> & JsonObject) | undefined
  const stays =
    clash && (laterStays(clash.kind, 'living', rows + clash.livesOn, expected - first) ? 'later' : 'earlier')
  const args = { first, last, rows, expected, kind: 'unknown' as const, ...(stays && { stays }), ...seen }
  const related = first === last ? [first] : [first, last]
  return { code: 'order/seq-repeated', origin, seq: first, args, related }
}
